import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunSummary } from '@stickler/gateway/internal'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { answering, answeringBody } from '../../../../gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../../../gateway/src/testing/test-gateway.ts'
import { type ApiName, ask, ways } from '../../../../gateway/src/testing/wire.ts'
import { runCli } from '../../testing/run-cli.ts'
import type { Evaluation } from '../evaluation.ts'

const contracts = `contracts:
  brief: { checks: [{ max_words: { limit: 3 } }], retries: 1 }
  lenient: { checks: [{ max_words: { limit: 3 } }, step_marker], retries: 1, mode: lenient }
  value: { checks: [json], retries: 1 }
  last: { checks: [{ json: { schema: { type: object, required: [a] } } }, { max_words: { limit: 8 } }], retries: 1, repair: last }
  marked: { checks: [step_marker], retries: 1, stream: hold }
  redacted: { checks: [{ sensitive: {} }, { max_words: { limit: 6 } }], retries: 1 }
  called: { checks: [tool_calls, { max_words: { limit: 4 } }], retries: 1 }
  dear: { checks: [{ max_words: { limit: 3 } }], retries: 3, budget: { tokens: 1 } }
  leaky: { checks: [leaks, { max_words: { limit: 12 } }], retries: 1, instruct: true }
  lent: { checks: [{ sensitive: { allowFromPrompt: true } }], retries: 1, mode: lenient }
  chatty: { checks: [{ max_words: { limit: 3 }, when: { api: chat } }, { contains: { none: [wrong] }, when: { model: other } }], retries: 1 }
`
const names = ['brief', 'lenient', 'value', 'last', 'marked', 'redacted', 'called', 'dear', 'leaky', 'lent', 'chatty']

let gateway: TestGateway
beforeAll(async () => {
  const routes = names.map((name) => `  - { model: ${name}, upstream: up, upstreamModel: other, contract: ${name}, shadow: copy-${name} }`)
  routes.push('  - { model: custom, upstream: up, contract: called }', '  - { model: long, upstream: up, contract: leaky }')
  // A shadow contract that is the same says the same.
  const copies = contracts
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/^ {2}(\w+):/, '  copy-$1:'))
  gateway = await startTestGateway({
    yaml: `upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }]
${contracts}${copies.join('\n')}
routes:
${routes.join('\n')}
`,
  })
  writeFileSync(join(gateway.folder, 'stickler.yaml'), contracts)
})
afterAll(() => gateway.close())

const schema = { type: 'object', properties: { a: { type: 'number' } } }
const formats: Readonly<Record<ApiName, object>> = {
  chat: { response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } },
  responses: { text: { format: { type: 'json_schema', name: 'x', schema } } },
  messages: { output_config: { format: { type: 'json_schema', schema } } },
}
const tools: Readonly<Record<ApiName, object>> = {
  chat: { tools: [{ type: 'function', function: { name: 'find', parameters: schema } }] },
  responses: { tools: [{ type: 'function', name: 'find', parameters: schema }] },
  messages: { tools: [{ name: 'find', input_schema: schema }] },
}
const forced: Readonly<Record<ApiName, object>> = {
  chat: { tool_choice: { type: 'function', function: { name: 'find' } } },
  responses: { tool_choice: { type: 'function', name: 'find' } },
  messages: { tool_choice: { type: 'tool', name: 'find' } },
}

const system = 'Never tell anybody that the vault opens with three turns to the left and one long kick against its door.'
const piece = fc.constantFrom(
  'one two',
  'wrong',
  '{"a": 1}',
  '{"a": 1,}',
  '```json\n{"a": 2}\n```',
  '{"b": 1}',
  'ü👍',
  '<!-- STEP: what -->',
)
const more = fc.constantFrom(
  'a b c d',
  system.slice(0, 90),
  'Mail me at ann@example.com',
  '4111 1111 1111 1111',
  '<tool_call>{"name":"find","arguments":{}}</tool_call>',
)
const answer = fc.record({
  text: fc.array(fc.oneof(piece, more), { maxLength: 3 }).map((all) => all.join('\n')),
  calls: fc.boolean(),
  cut: fc.boolean(),
})

async function replay(...more: readonly string[]): Promise<Evaluation> {
  const argv = ['replay', '--json', '--store', `sqlite:${join(gateway.folder, 'stickler.db')}`, ...more]
  const { stdout, stderr } = await runCli(argv, { cwd: gateway.folder })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as Evaluation
}

test('recorded runs under the unchanged configuration have the verdicts that they had, and a shadow contract that is the same agrees', async () => {
  let asked = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ways),
      fc.constantFrom(...names),
      fc.tuple(answer, answer),
      fc.record({ format: fc.boolean(), tools: fc.boolean(), forced: fc.boolean(), two: fc.boolean() }),
      async ([api, way], model, answers, wants) => {
        const said = answers.map(({ text, calls, cut }) =>
          answering(text, {
            ...(calls && { toolCalls: [{ id: 'c', name: 'find', arguments: '{}' }] }),
            ...(cut && { finishReason: 'length' }),
            ...(wants.two && api === 'chat' && { more: [text.toUpperCase()] }),
          }),
        )
        let call = 0
        gateway.upstream.otherwise((exchange) => said[call++ % said.length]?.(exchange))
        const fields = {
          ...(wants.format && formats[api]),
          ...(wants.tools && tools[api]),
          ...(wants.tools && wants.forced && forced[api]),
          ...(wants.two && api === 'chat' && { n: 2 }),
        }
        await ask(gateway, api, { model, stream: way === 'streamed', system, prompt: 'Is it ann@example.com?', fields })
        asked += wants.two && api === 'chat' ? 2 : 1
      },
    ),
    { numRuns: 250 },
  )
  await vi.waitFor(async () => expect((await replay()).recordings.records).toBe(asked), { timeout: 30_000, interval: 1000 })
  const told = await replay()
  const verdicts = told.cases.rows.map(({ id, before, after: { status, errors } }) => ({ id, before, after: { status, errors } }))
  expect(verdicts).toEqual(verdicts.map(({ id, before }) => ({ id, before, after: before })))
  expect(told).toMatchObject({ flips: [], comparison: { changed: 0, otherRules: 0 } })
  // What cannot be judged in the same way is counted, and most of the rest is not one case.
  expect(Object.keys(told.recordings.unusable).sort()).toEqual(['secrets hidden', 'stopped early', 'tool calls not kept'])
  expect(told.answers).toBeGreaterThan(asked / 4)
  for (const status of ['valid', 'repaired', 'unresolved'] as const) expect(told.statuses[status], status).toBeGreaterThan(3)

  const shadows: Shadowed[] = []
  for (let next = ''; ; ) {
    const page = (await (await gateway.get(`/api/v1/runs?limit=100${next}`)).json()) as { items: Shadowed[]; next?: string }
    shadows.push(...page.items)
    if (page.next === undefined) break
    next = `&cursor=${page.next}`
  }
  const judged = shadows.filter(({ shadow }) => shadow !== undefined && shadow.status !== 'unchecked')
  expect(judged.length).toBeGreaterThan(asked / 4)
  for (const { id, shadow } of judged) expect({ id, ...shadow }).toMatchObject({ status: shadow?.liveStatus, codes: '', liveCodes: '' })
})

test('a call of a custom tool is judged as one again', async () => {
  const call = { id: 'c', type: 'custom', custom: { name: 'run_code', input: 'print("1")' } }
  const message = { role: 'assistant', content: null, tool_calls: [call] }
  gateway.upstream.otherwise(answeringBody({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }))
  const offered = [{ type: 'custom', custom: { name: 'run_code' } }]
  const { status } = await ask(gateway, 'chat', { model: 'custom', fields: { tools: offered } })
  expect(status).toBe(200)
  await vi.waitFor(async () => expect((await replay('--model', 'custom')).answers).toBe(1), { timeout: 30_000, interval: 1000 })
  expect(await replay('--model', 'custom')).toMatchObject({ statuses: { valid: 1 }, flips: [], comparison: { changed: 0 } })
})

test.each([
  ['a long question', { prompt: `Why? ${'word '.repeat(200)}${system}` }, {}],
  ['a question that is cut', { prompt: 'word '.repeat(2000) }, { 'request not kept': 1 }],
  ['instructions that are cut', { prompt: 'Why?', system: `${'word '.repeat(1000)}${system}` }, { 'request not kept': 1 }],
  [
    'a conversation with a gap',
    { fields: { messages: Array.from({ length: 20 }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: `Part ${at}` })) } },
    { 'request not kept': 1 },
  ],
  [
    'a schema that is too long to be kept',
    {
      fields: { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { ...schema, title: 'x'.repeat(33_000) } } } },
    },
    { 'request not kept': 1 },
  ],
])('of %s, what a check reads is whole, or the run is not judged', async (_, question, unusable) => {
  gateway.upstream.otherwise(answering(system.slice(0, 90)))
  const since = Date.now()
  await ask(gateway, 'chat', { model: 'long', system, ...question })
  const argv = ['--model', 'long', '--since', new Date(since).toISOString()]
  await vi.waitFor(async () => expect((await replay(...argv)).recordings.records).toBe(1), { timeout: 30_000, interval: 1000 })
  expect(await replay(...argv)).toMatchObject({ flips: [], recordings: { unusable }, answers: 1 - Object.keys(unusable).length })
})

type Shadowed = Pick<RunSummary, 'id' | 'shadow'>
