import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { ask, errorOf, textOf, verdictOf, ways } from '../../testing/wire.ts'

interface Row {
  /** The contract, as it is written in YAML. */
  readonly contract: string
  /** What the model answers, one attempt after the other. */
  readonly answers: readonly string[]
  /** What the client gets; the code of the error where it gets no answer. */
  readonly text?: string
  readonly code?: string
  readonly status: string
}

const chinese = '这是一个用中文写的回答，说明如何安装软件并配置它，然后运行测试以确认一切正常工作，最后提交更改。'.repeat(3)
const shell = '```python\npip install requests\n```'

const rows: Readonly<Record<string, Row>> = {
  'capitals are written by a repair': {
    contract: '{ checks: [{ casing: { is: upper } }], allow: [lossy] }',
    answers: ['how to install the package'],
    text: 'HOW TO INSTALL THE PACKAGE',
    status: 'repaired',
  },
  'small letters are asked for': {
    contract: '{ checks: [{ casing: { is: lower } }], retries: 1 }',
    answers: ['It works.', 'it works.'],
    text: 'it works.',
    status: 'valid',
  },
  'a caret too many in a citation is removed': {
    contract: '{ checks: [{ citations: { sources: 2 } }] }',
    answers: ['Tabs are smaller [^1^]. Spaces are even [^2].'],
    text: 'Tabs are smaller [^1]. Spaces are even [^2].',
    status: 'repaired',
  },
  'an index, a year and an interval are not citations': {
    contract: '{ checks: [{ citations: { sources: 1, styles: [bracket] } }] }',
    answers: ['Read list[0] and dp[3] on [0, 1], as in [2017] FCA 5 [1].'],
    text: 'Read list[0] and dp[3] on [0, 1], as in [2017] FCA 5 [1].',
    status: 'valid',
  },
  'another language is not delivered': {
    contract: '{ checks: [{ language: { is: en } }], retries: 0 }',
    answers: [chinese],
    code: 'WRONG_LANGUAGE',
    status: 'unresolved',
  },
  'the right language is delivered': {
    contract: '{ checks: [{ language: { is: zh } }] }',
    answers: [chinese],
    text: chinese,
    status: 'valid',
  },
  'the value that an answer names is a guess': {
    contract: '{ checks: [{ one_of: { values: [bug, feature] } }], allow: [guess] }',
    answers: ['The right label is **bug**.\n\nIt crashes.'],
    text: 'bug',
    status: 'repaired',
  },
  'a value that an answer denies is none': {
    contract: '{ checks: [{ one_of: { values: [offensive, harmless] } }], allow: [guess], retries: 0 }',
    answers: ['This is not offensive.'],
    code: 'NOT_ONE_OF',
    status: 'unresolved',
  },
  'a wrong tag is corrected': {
    contract: '{ checks: [code_syntax] }',
    answers: [shell],
    text: shell.replace('python', 'bash'),
    status: 'repaired',
  },
  'a wrong tag is the fault of a block': {
    contract: '{ checks: [code_syntax], retries: 0, repair: never }',
    answers: [shell],
    code: 'WRONG_CODE_TAG',
    status: 'unresolved',
  },
  'code that parses is delivered': {
    contract: '{ checks: [code_syntax] }',
    answers: ['```json\n{"a": [1, 2]}\n```'],
    text: '```json\n{"a": [1, 2]}\n```',
    status: 'valid',
  },
}
const named = Object.entries(rows).map(([name, row], at) => ({ name, row, model: `m${at}` }))

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({
    yaml: `
server: { port: 0 }
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY }]
contracts:
${named.map(({ model, row }) => `  ${model}: ${row.contract}`).join('\n')}
routes:
${named.map(({ model }) => `  - { model: ${model}, upstream: up, contract: ${model} }`).join('\n')}
`,
  })
})
afterAll(() => gateway.close())

describe.each(named)('$name', ({ row, model }) => {
  test.each(ways)('%s %s', async (api, how) => {
    gateway.upstream.enqueue(...row.answers.map((text) => answering(text)))
    const reply = await ask(gateway, api, { model, stream: how === 'streamed' })
    expect(verdictOf(reply)).toMatchObject({ status: row.status, attempts: row.answers.length })
    if (row.text !== undefined) expect(textOf(api, reply)).toBe(row.text)
    else expect(errorOf(reply)).toMatchObject({ code: row.code })
  })
})
