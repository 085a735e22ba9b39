import { afterAll, beforeAll, expect, test } from 'vitest'
import { answering } from '../testing/programmable-upstream-answers.ts'
import { endless } from '../testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts'
import { apiNames, ask, textOf, verdictOf } from '../testing/wire.ts'

const yaml = `
server: { port: 0 }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }
contracts:
  once: { checks: [repetition], retries: 0 }
  again: { checks: [repetition], stream: hold, stop: early, retries: 1 }
routes:
  - { model: once, upstream: up, contract: once }
  - { model: again, upstream: up, contract: again }
`
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

/** A model that never stops, and would send for ever. */
function looping(text: string): ReturnType<typeof endless> {
  return endless('text/event-stream', `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content: text } }] })}\n\n`)
}

test.each(apiNames)('a stream that loops for ever is stopped, and the connection to the provider closed: %s', async (api) => {
  gateway.upstream.enqueue(looping('I am sorry, but I cannot do that. '))
  const reply = await ask(gateway, api, { model: 'once', stream: true })
  expect(JSON.stringify(verdictOf(reply) ?? reply.body)).toContain('LOOP')
  expect(textOf(api, reply).length).toBeLessThan(200)
  const call = gateway.upstream.requests.at(-1)
  await call?.closed
  expect(call?.aborted).toBe(true)
})

test.each(apiNames)('the model is asked again after a loop: %s', async (api) => {
  gateway.upstream.enqueue(looping('\n'), answering('Fine.'))
  const reply = await ask(gateway, api, { model: 'again', stream: true })
  expect(textOf(api, reply)).toBe('Fine.')
  expect(verdictOf(reply)).toMatchObject({ status: 'valid', attempts: 2 })
  const call = gateway.upstream.requests.at(-2)
  await call?.closed
  expect(call?.aborted).toBe(true)
})
