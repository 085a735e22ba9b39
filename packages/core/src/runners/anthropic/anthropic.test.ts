import { describe, expect, it } from 'vitest'
import type { CallOptions, ModelEvent } from '../../engine/runner.ts'
import { anthropic } from './anthropic.ts'

const call = (stream: boolean): CallOptions => ({ stream, signal: new AbortController().signal })
const said = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', usage: { input_tokens: 3, output_tokens: 2 } }
const whole = { ...said, content: [{ type: 'text', text: 'Hello.' }], stop_reason: 'end_turn' }
const streamed = [
  { type: 'message_start', message: { ...said, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
]
const framed = (events: readonly { readonly type: string }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

function setUp(status: number, body: unknown, settings: object = {}) {
  const sent: { url: string; headers: Headers; body: Record<string, unknown> }[] = []
  const isStream = typeof body === 'string'
  const runner = anthropic({
    model: 'claude',
    apiKey: 'sk-ant-0123456789',
    price: { promptPerMillion: 1, completionPerMillion: 10 },
    fetch: async (url, init) => {
      sent.push({ url: String(url), headers: new Headers(init?.headers), body: JSON.parse(String(init?.body)) })
      const headers = { 'content-type': isStream ? 'text/event-stream' : 'application/json', 'retry-after': '3' }
      return new Response(isStream ? body : JSON.stringify(body), { status, headers })
    },
    ...settings,
  })
  return { runner, sent }
}

async function all(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const list: ModelEvent[] = []
  for await (const event of events) list.push(event)
  return list
}

const end = { type: 'end', finishReason: 'end_turn', usage: { promptTokens: 3, completionTokens: 2, cost: 0.000023 } }

describe('anthropic', () => {
  it.each<[string, boolean, unknown, string[]]>([
    ['whole', false, whole, ['Hello.']],
    ['streamed', true, framed(streamed), ['Hel', 'lo.']],
    ['streamed though it was asked for whole', false, framed(streamed), ['Hello.']],
    ['whole though it was asked for as a stream', true, whole, ['Hello.']],
  ])('reads an answer: %s', async (_, stream, body, texts) => {
    const { runner } = setUp(200, body)
    expect(await all(runner.run(undefined, 'hi', call(stream)))).toEqual([...texts.map((text) => ({ type: 'text', text })), end])
  })

  it('sends rules beside the conversation, its key and its version', async () => {
    const { runner, sent } = setUp(200, whole, { baseUrl: 'https://host.example/api/v1', maxTokens: 99, body: { temperature: 0 } })
    const original = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hi' },
    ]
    await all(runner.continue(undefined, 'fix it', { ...call(false), original, rejected: 'bad' }))
    expect(sent[0]?.url).toBe('https://host.example/api/v1/messages')
    expect([sent[0]?.headers.get('x-api-key'), sent[0]?.headers.get('anthropic-version')]).toEqual(['sk-ant-0123456789', '2023-06-01'])
    expect(sent[0]?.headers.get('authorization')).toBe(null)
    expect(sent[0]?.body).toEqual({
      model: 'claude',
      max_tokens: 99,
      stream: false,
      temperature: 0,
      system: 'Be brief.',
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'bad' },
        { role: 'user', content: 'fix it' },
      ],
    })
  })

  it('keeps tool calls', async () => {
    const { runner } = setUp(200, {
      ...whole,
      content: [{ type: 'tool_use', id: 't1', name: 'look', input: { at: 1 } }],
      stop_reason: 'tool_use',
    })
    expect(await all(runner.run(undefined, 'hi', call(false)))).toMatchObject([
      { type: 'end', finishReason: 'tool_use', toolCalls: [{ id: 't1', name: 'look', arguments: '{"at":1}' }] },
    ])
  })

  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded by sk-ant-0123456789' } }
  it.each<[string, number, unknown, object]>([
    ['a status', 529, overloaded, { kind: 'http', details: { status: 529, retryAfterMs: 3000 } }],
    ['an error in a stream', 200, framed([...streamed.slice(0, 2), overloaded]), { kind: 'http', details: { status: 529 } }],
    ['a stream that is cut', 200, framed(streamed.slice(0, 3)), { kind: 'connection' }],
    ['what is not JSON', 200, '<html>', { kind: 'protocol' }],
  ])('has no answer from %s', async (_, status, body, failure) => {
    const { runner } = setUp(status, body)
    const failed = await all(runner.run(undefined, 'hi', call(true))).catch((thrown: unknown) => thrown)
    expect(failed).toMatchObject(failure)
    expect(String(failed)).not.toContain('sk-ant')
  })

  it.each([0, -1])('refuses maxTokens %d', (maxTokens) => {
    expect(() => setUp(200, whole, { maxTokens })).toThrow('maxTokens')
  })
})
