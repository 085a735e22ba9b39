import { afterAll, beforeAll, expect, test } from 'vitest'
import { answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { type ApiName, ask, errorOf, verdictOf } from '../../testing/wire.ts'

const yaml = `
upstreams:
  - { name: openai, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  strict: { checks: [{ max_words: { limit: 50 } }], retries: 0 }
  tools: { checks: [{ tool_calls: { strict: true } }], retries: 0, repair: never }
routes:
  - { model: strict, upstream: openai, contract: strict }
  - { model: tools, upstream: openai, contract: tools }
`

type Json = Record<string, unknown>

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const evil = 'CANARY'
const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: { x: { type: 'string' } } } } }]

async function asked(api: ApiName, model: string, reply: Json | readonly Json[]) {
  const stream = Array.isArray(reply)
  gateway.upstream.enqueue(stream ? answeringEvents(reply as Json[]) : answeringBody(reply))
  return await ask(gateway, api, { model, stream, fields: { tools } })
}

const whole = (message: Json): Json => ({
  ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Fine.', ...message }, finish_reason: 'stop' }],
})
const chunk = (delta: unknown, beside: Json = {}): Json => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason: null, ...beside }],
})
const call = (called: Json): Json => ({ tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}', ...called } }] })

test('a member named __proto__, which clients would merge, ends a reply', async () => {
  const delta = (name: string): Json => JSON.parse(`{"role":"assistant","${name}":{"content":"${evil}","tool_calls":[]}}`)
  for (const name of ['__proto__', '\\u005f_proto__', '__prot\\u006f__'])
    for (const reply of [[chunk(delta(name)), chunk({ content: 'Fine.' }), chunk({}, { finish_reason: 'stop' })], whole(delta(name))]) {
      const got = await asked('chat', 'strict', reply)
      expect([got.body.includes(evil), errorOf(got) === undefined]).toEqual([false, false])
    }
  const quoted = await asked('chat', 'strict', whole({ content: 'Never merge "__proto__".' }))
  expect(verdictOf(quoted)).toMatchObject({ status: 'valid' })
})

test('a message in a chunk, which clients put in the place of what came before, is not joined with it', async () => {
  const events = [
    chunk({ role: 'assistant', content: 'Never send ' }),
    chunk(undefined, { message: { content: evil } }),
    chunk({}, { finish_reason: 'stop' }),
  ]
  const got = await asked('chat', 'strict', events)
  expect([got.body.includes(evil), errorOf(got) === undefined]).toEqual([false, false])
})

test('arguments that a provider sends as an object are judged as their JSON, in a whole reply', async () => {
  const calling = (x: unknown) => asked('chat', 'tools', whole(call({ arguments: { x } })))
  expect(verdictOf(await calling('y'))).toMatchObject({ status: 'valid' })
  expect((await calling([evil])).body).toContain('WRONG_TYPE')
})

test('a call of an unknown kind is none that was judged', async () => {
  const shell = { index: 0, id: 'a', type: 'shell', shell: { command: evil } }
  const events = [chunk({ content: 'Fine.' }), chunk({ tool_calls: [shell] }), chunk({}, { finish_reason: 'stop' })]
  for (const reply of [events, whole({ tool_calls: [shell] })]) {
    const got = await asked('chat', 'strict', reply)
    expect([got.body.includes(evil), errorOf(got) === undefined]).toEqual([false, false])
  }
})
