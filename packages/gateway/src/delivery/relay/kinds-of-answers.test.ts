import { afterAll, beforeAll, expect, test } from 'vitest'
import { answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { type ApiName, ask, errorOf, verdictOf, type WireReply } from '../../testing/wire.ts'

// Answers that are no text: each is passed on as what it is, or not at all.
const yaml = `
upstreams:
  - { name: chat, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
  - { name: messages, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  json: { checks: [json, tool_calls], retries: 1 }
  brief: { checks: [{ max_words: { limit: 5 } }, tool_calls], retries: 1 }
routes:
  - { model: chat-json, upstream: chat, contract: json }
  - { model: chat-brief, upstream: chat, contract: brief }
  - { model: messages-json, upstream: messages, contract: json }
  - { model: messages-brief, upstream: messages, contract: brief }
`

type Json = Record<string, unknown>

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

/** A question and how many calls it took. */
async function asked(api: ApiName, model: string, replies: readonly (Json | readonly Json[])[], fields: Json = {}) {
  const stream = Array.isArray(replies[0])
  const before = gateway.upstream.requests.length
  gateway.upstream.enqueue(...replies.map((one) => (Array.isArray(one) ? answeringEvents(one) : answeringBody(one as Json))))
  const reply: WireReply = await ask(gateway, api, { model, stream, fields })
  return { reply, calls: gateway.upstream.requests.length - before }
}

const message = (content: readonly Json[], stop_reason: string): Json => ({
  id: 'm1',
  type: 'message',
  role: 'assistant',
  content,
  stop_reason,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
})
/** The same as events: blocks as they are, the text of text blocks in one delta. */
const events = (content: readonly Json[], stop_reason: string): Json[] => [
  { type: 'message_start', message: message([], stop_reason) },
  ...content.flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: block.type === 'text' ? { ...block, text: '' } : block },
    ...(block.type === 'text' ? [{ type: 'content_block_delta', index, delta: { type: 'text_delta', text: block.text } }] : []),
    { type: 'content_block_stop', index },
  ]),
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
]
const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'spaces' } }
const found = { type: 'web_search_tool_result', tool_use_id: 's1', content: [] }

for (const [how, write] of [
  ['whole', message],
  ['streamed', events],
] as const) {
  test(`a refusal in Messages is passed on after one call, ${how}`, async () => {
    const { reply, calls } = await asked('messages', 'messages-json', [write([], 'refusal')])
    expect([reply.status, calls]).toEqual([200, 1])
    expect(reply.body).toContain('"stop_reason":"refusal"')
    expect(verdictOf(reply)).toMatchObject({ status: 'unchecked', attempts: 1 })
  })

  test(`a turn that the provider pauses is no answer yet, ${how}`, async () => {
    for (const content of [[search], [{ type: 'text', text: 'Let me look.' }, search, found]]) {
      const { reply, calls } = await asked('messages', 'messages-json', [write(content, 'pause_turn')])
      expect([reply.status, calls]).toEqual([200, 1])
      expect(reply.body).toContain('"stop_reason":"pause_turn"')
      expect(reply.body).toContain('server_tool_use')
      expect(verdictOf(reply)).toMatchObject({ status: 'valid', attempts: 1 })
    }
  })

  test(`what a paused turn says is judged, and an end that nobody knows is withheld, ${how}`, async () => {
    const words = { type: 'text', text: 'one two three four five six' }
    const long = await asked('messages', 'messages-brief', [write([words], 'pause_turn'), write([words], 'pause_turn')])
    expect([errorOf(long.reply) === undefined, long.calls]).toEqual([false, 2])
    const unknown = await asked('messages', 'messages-brief', [write([{ type: 'text', text: 'Fine.' }], 'brand_new')])
    expect([errorOf(unknown.reply) === undefined, unknown.calls]).toEqual([false, 1])
    const unread = await asked('messages', 'messages-brief', [write([{ type: 'x_new_block', content: 1 }], 'brand_new')])
    expect([errorOf(unread.reply) === undefined, unread.calls]).toEqual([false, 1])
  })

  test(`an empty answer that the provider has ended is one, ${how}`, async () => {
    const { reply, calls } = await asked('messages', 'messages-brief', [
      write([{ type: 'thinking', thinking: 'Hm.', signature: 's' }], 'end_turn'),
    ])
    expect([reply.status, calls]).toEqual([200, 1])
    expect(verdictOf(reply)).toMatchObject({ status: 'valid', issues: [{ code: 'EMPTY_CONTENT' }] })
    const needed = await asked('messages', 'messages-json', [write([], 'end_turn'), write([{ type: 'text', text: '{}' }], 'end_turn')])
    expect([needed.reply.status, needed.calls]).toEqual([200, 2])
  })
}

const chunk = (delta: Json, finish_reason: string | null = null): Json => ({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })
const custom = (name: string, input: string): Json => ({ index: 0, id: 'call_1', type: 'custom', custom: { name, input } })
const offered = { tools: [{ type: 'custom', custom: { name: 'run_code' } }] }

test('calls of custom tools pass by their names, and nothing of another one is shown, in chat completions', async () => {
  const calling = (name: string): Json[] => [
    chunk({ role: 'assistant', content: 'Look. ' }),
    chunk({ tool_calls: [custom(name, 'CANARY')] }),
    chunk({ content: 'So.' }),
    chunk({}, 'tool_calls'),
  ]
  const known = await asked('chat', 'chat-brief', [calling('run_code')], offered)
  expect([known.calls, known.reply.body.includes('CANARY')]).toEqual([1, true])
  expect(verdictOf(known.reply)).toMatchObject({ status: 'valid' })
  const other = await asked('chat', 'chat-brief', [calling('rm'), calling('rm')], offered)
  expect([other.calls, other.reply.body.includes('CANARY')]).toEqual([2, false])
  expect(errorOf(other.reply)).toBeDefined()
})

test('calls of custom tools pass by their names, and nothing of another one is shown, in responses', async () => {
  const item = (name: string, input: string): Json => ({ id: 'ctc_1', type: 'custom_tool_call', call_id: 'call_1', name, input })
  const response = (output: readonly Json[], status: string): Json => ({ id: 'r', object: 'response', status, output })
  const calling = (name: string): Json[] => [
    { type: 'response.created', response: response([], 'in_progress') },
    { type: 'response.output_item.added', output_index: 0, item: item(name, '') },
    { type: 'response.custom_tool_call_input.delta', output_index: 0, item_id: 'ctc_1', delta: 'CANARY' },
    { type: 'response.custom_tool_call_input.done', output_index: 0, item_id: 'ctc_1', input: 'CANARY' },
    { type: 'response.output_item.done', output_index: 0, item: item(name, 'CANARY') },
    { type: 'response.completed', response: response([item(name, 'CANARY')], 'completed') },
  ]
  const tools = [{ type: 'custom', name: 'run_code' }]
  const whole = response([item('run_code', 'CANARY')], 'completed')
  for (const reply of [whole, calling('run_code')]) {
    const known = await asked('responses', 'chat-brief', [reply], { tools })
    expect([known.calls, known.reply.status, known.reply.body.includes('CANARY')]).toEqual([1, 200, true])
    expect(verdictOf(known.reply)).toMatchObject({ status: 'valid' })
  }
  const other = await asked('responses', 'chat-brief', [calling('rm'), calling('rm')], { tools })
  expect([other.calls, other.reply.body.includes('CANARY')]).toEqual([2, false])
})
