import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Behaviour } from '../../testing/programmable-upstream.ts'
import { answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { ask, type WireReply } from '../../testing/wire.ts'

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses], answerLimit: 1048576 }
  - { name: other, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, answerLimit: 1048576 }
contracts:
  held: { checks: [{ max_words: { limit: 100000 } }], stream: hold, retries: 0 }
routes:
  - { model: plain, upstream: up }
  - { model: held, upstream: up, contract: held }
  - { model: plain-messages, upstream: other }
  - { model: held-messages, upstream: other, contract: held }
`

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

/** Not by the text, which would fill a screen. */
const isRefused = ({ body }: WireReply): boolean => body.includes('upstream_protocol')
const junk = 'x'.repeat(500_000)
const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item)
const chunk = (delta: object, top: object = {}, finish: string | null = null) => ({
  id: 'c',
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...top,
})
const response = { id: 'r', object: 'response', status: 'completed', output: [] }
const message = [
  { type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 1, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Yes.' } },
  { type: 'content_block_stop', index: 0 },
]
const messageEnd = [{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }, { type: 'message_stop' }]

/** Streams with little to judge and much beside it. */
const floods: readonly ['chat' | 'messages' | 'responses', string, Behaviour][] = [
  ['chat', 'padding', answeringEvents([...times(20, chunk({ content: '' }, { obfuscation: junk })), chunk({}, {}, 'stop')])],
  ['chat', 'empty chunks', answeringEvents([chunk({ content: 'Yes.' }), ...times(32_000, { choices: [] }), chunk({}, {}, 'stop')])],
  [
    'responses',
    'ends of nothing',
    answeringEvents([...times(20, { type: 'response.foo.done', output_index: 0, junk }), { type: 'response.completed', response }]),
  ],
  ['messages', 'signs of life', answeringEvents([...message, ...times(32_000, { type: 'ping' }), ...messageEnd])],
]

test.each(floods)('what waits for a verdict is limited with its frames: %s, %s', async (api, _name, behaviour) => {
  const suffix = api === 'messages' ? '-messages' : ''
  gateway.upstream.enqueue(behaviour)
  const held = await ask(gateway, api, { model: `held${suffix}`, stream: true })
  expect(isRefused(held)).toBe(true)
  gateway.upstream.enqueue(behaviour)
  const plain = await ask(gateway, api, { model: `plain${suffix}`, stream: true })
  expect(isRefused(plain)).toBe(false)
})

test('an answer in three thousand chunks may wait as a whole', async () => {
  const frame = { object: 'chat.completion.chunk', created: 1_700_000_000, model: 'gpt-4o-2024-08-06', system_fingerprint: 'fp_0123456789' }
  gateway.upstream.enqueue(answeringEvents([...times(3_000, chunk({ content: 'seven ' }, frame)), chunk({}, frame, 'stop')]))
  const reply = await ask(gateway, 'chat', { model: 'held', stream: true })
  expect(isRefused(reply)).toBe(false)
  expect(reply.body.split('seven ').length).toBe(3_001)
})

test('items of a response that are kept until its end count, however they come', async () => {
  const items = Array.from({ length: 10 }, (_, at) => ({
    type: 'response.output_item.done',
    output_index: at,
    item: { type: 'other', data: junk },
  }))
  gateway.upstream.enqueue(answeringEvents([...items, { type: 'response.completed', response }]))
  expect(isRefused(await ask(gateway, 'responses', { model: 'plain', stream: true }))).toBe(true)
})
