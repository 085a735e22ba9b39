import { afterAll, beforeAll, expect, test } from 'vitest'
import { answering } from '../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts'
import { apiNames, ask, textOf, verdictOf } from '../testing/wire.ts'

const yaml = `
server: { port: 0 }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }
contracts:
  plain: { checks: [{ boilerplate: { remove: true } }], retries: 1 }
  filled: { checks: [placeholders, complete], retries: 2 }
routes:
  - { model: plain, upstream: up, contract: plain }
  - { model: filled, upstream: up, contract: filled }
`
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

/** What a client gets, streamed or not, and what the model is told. */
async function play(api: (typeof apiNames)[number], model: string, stream: boolean, answers: readonly string[]) {
  const before = gateway.upstream.requests.length
  gateway.upstream.enqueue(...answers.map((text) => answering(text)))
  const reply = await ask(gateway, api, { model, stream })
  const told = gateway.upstream.requests
    .slice(before + 1)
    .map(({ json }) => JSON.stringify((json?.messages as { content: unknown }[] | undefined)?.at(-1)?.content))
  return { text: textOf(api, reply), verdict: verdictOf(reply), told }
}

test.each(apiNames)('a preamble and an offer do not reach the client: %s', async (api) => {
  const list = '- Ada\n- Grace Hopper, who wrote a compiler'
  const answer = `Sure, here are two names:\n\n${list}\n\nI hope this helps! Let me know if you need more.`
  for (const stream of [false, true]) {
    const { text, verdict } = await play(api, 'plain', stream, [answer])
    expect(text).toBe(list)
    expect(verdict).toMatchObject({ status: 'repaired', attempts: 1, repairs: [{ rule: 'drop-preamble' }, { rule: 'drop-offer' }] })
  }
})

test.each(apiNames)('placeholders and an answer that breaks off are asked for again: %s', async (api) => {
  const answers = ['Dear [Customer Name],\n\nit has shipped.\n\nBob', 'Dear Ann, it has shipped and the', 'Dear Ann, it has shipped.']
  const { verdict, told } = await play(api, 'filled', false, answers)
  expect(verdict).toMatchObject({ status: 'valid', attempts: 3 })
  expect(told[0]).toContain('PLACEHOLDER')
  expect(told[1]).toContain('INCOMPLETE')
  const streamed = await play(api, 'filled', true, answers.slice(0, 1).concat(answers.slice(2)))
  expect(streamed.verdict).toMatchObject({ status: 'valid', attempts: 2 })
  expect(streamed.text).not.toContain('[')
})
