import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { Behaviour } from '../../../testing/programmable-upstream.ts'
import { answeringBody, type Manner } from '../../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'

const yaml = `
upstreams:
  - { name: claude, kind: anthropic, baseUrl: $UP, apiKeyEnv: UP_KEY, retries: 0 }
  - { name: chat, kind: openai, baseUrl: $UP/v1, retries: 0 }
contracts:
  kept: { checks: [{ max_words: { limit: 100 } }], retries: 1, instruct: false }
  marked: { checks: [step_marker], retries: 1, instruct: false }
  held: { checks: [{ max_words: { limit: 5 } }], stream: hold, retries: 1, instruct: false }
  live: { checks: [{ max_words: { limit: 5 } }], retries: 1, instruct: false, repair: never }
  told: { checks: [{ max_words: { limit: 5 } }], retries: 1, instruct: true }
routes:
  - { model: plain, upstream: claude, upstreamModel: claude-x }
  - { model: kept, upstream: claude, upstreamModel: claude-x, contract: kept }
  - { model: marked, upstream: claude, upstreamModel: claude-x, contract: marked }
  - { model: held, upstream: claude, upstreamModel: claude-x, contract: held }
  - { model: live, upstream: claude, upstreamModel: claude-x, contract: live }
  - { model: told, upstream: claude, upstreamModel: claude-x, contract: told }
  - { model: gpt, upstream: chat }
`
type Json = Record<string, unknown>
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const usage = {
  input_tokens: 3,
  cache_creation_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 5 },
  output_tokens: 7,
  service_tier: 'standard',
  inference_geo: 'eu',
}
const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-x' }
const sse = (events: readonly Json[]): string => events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
const streaming = (events: readonly Json[], manner: Manner = {}): Behaviour =>
  answeringBody(sse(events), { contentType: 'text/event-stream', ...manner })
const deltasOf = (block: Json): Json[] => {
  if (block.type === 'text') return [...(String(block.text).match(/.{1,9}/gs) ?? [])].map((text) => ({ type: 'text_delta', text }))
  if (block.type === 'thinking')
    return [
      ...(block.thinking === '' ? [] : [{ type: 'thinking_delta', thinking: block.thinking }]),
      { type: 'signature_delta', signature: block.signature },
    ]
  return block.type === 'tool_use'
    ? [
        { type: 'input_json_delta', partial_json: '' },
        { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
      ]
    : []
}
const startOf = (block: Json): Json => ({
  ...block,
  ...(block.type === 'text'
    ? { text: '', citations: undefined }
    : block.type === 'thinking'
      ? { thinking: '', signature: '' }
      : block.type === 'tool_use'
        ? { input: {} }
        : {}),
})
const streamOf = (content: readonly Json[], stop: Json = { stop_reason: 'end_turn', stop_sequence: null }): Json[] => [
  { type: 'message_start', message: { ...head, content: [], stop_reason: null, stop_sequence: null, usage } },
  { type: 'ping' },
  ...content.flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: startOf(block) },
    ...deltasOf(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
    ...(Array.isArray(block.citations)
      ? block.citations.map((citation) => ({ type: 'content_block_delta', index, delta: { type: 'citations_delta', citation } }))
      : []),
    { type: 'content_block_stop', index },
  ]),
  { type: 'message_delta', delta: stop, usage },
  { type: 'message_stop' },
]
const wholeOf = (content: readonly Json[], stop: Json = { stop_reason: 'end_turn', stop_sequence: null }): Json => ({
  ...head,
  content,
  ...stop,
  container: null,
  usage,
})

const cited = {
  type: 'char_location',
  cited_text: 'x',
  document_index: 0,
  document_title: null,
  start_char_index: 0,
  end_char_index: 1,
  file_id: null,
}
const bash = { type: 'tool_use', id: 'toolu_2', name: 'bash', input: { command: 'ls' } }
const call = { type: 'tool_use', id: 'toolu_1', name: 'f', input: { city: 'Bonn', n: 1.5 } }

/** Answers that arrive as they were sent. */
const answers: readonly [name: string, content: readonly Json[], stop?: Json][] = [
  ['text', [{ type: 'text', text: 'The old town.' }]],
  [
    'texts with citations',
    [
      { type: 'text', text: 'The old ' },
      { type: 'text', text: 'town', citations: [cited] },
      { type: 'text', text: ' is here.' },
    ],
  ],
  [
    'thinking of which only the signature is told',
    [
      { type: 'thinking', thinking: '', signature: 'sig' },
      { type: 'text', text: 'Yes.' },
    ],
  ],
  [
    'thoughts',
    [
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'redacted_thinking', data: 'Em' },
      { type: 'text', text: 'Yes.' },
    ],
  ],
  [
    'tool calls, one of a tool that Anthropic defines',
    [{ type: 'text', text: 'Wait.' }, call, bash],
    { stop_reason: 'tool_use', stop_sequence: null },
  ],
  [
    'tools of the provider, MCP, compaction and blocks that nobody knows',
    [
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'q' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 's1',
        content: [{ type: 'web_search_result', url: 'https://a.example/', title: 't', encrypted_content: 'e', page_age: null }],
      },
      { type: 'mcp_tool_use', id: 'm1', name: 'echo', server_name: 's', input: {} },
      { type: 'mcp_tool_result', tool_use_id: 'm1', is_error: false, content: [{ type: 'text', text: 'not judged' }] },
      { type: 'compaction', content: 'a summary' },
      { type: 'brand_new', text: 'not judged' },
      { type: 'text', text: 'Yes.' },
    ],
  ],
  ['a stop sequence', [{ type: 'text', text: 'Yes' }], { stop_reason: 'stop_sequence', stop_sequence: '###' }],
]

function client(baseURL: string): Anthropic {
  return new Anthropic({ baseURL, apiKey: 'k', maxRetries: 0 })
}

const question = (model: string): Anthropic.MessageCreateParamsNonStreaming => ({
  model,
  max_tokens: 99,
  messages: [{ role: 'user', content: 'hi' }],
  tools: [
    { name: 'f', input_schema: { type: 'object' } },
    { type: 'bash_20250124', name: 'bash' },
  ],
})

/** What a client decodes, without what the gateway may change. */
function decoded({ model: _model, stickler: _stickler, _request_id, ...message }: Json): Json {
  return message
}

describe.each(['plain', 'kept', 'held'])('through %s, decoded by @anthropic-ai/sdk', (model) => {
  it.each(answers)('%s', async (_name, content, stop) => {
    const own = client(gateway.url)
    gateway.upstream.enqueue(answeringBody(wholeOf(content, stop)))
    expect(decoded((await own.messages.create(question(model))) as unknown as Json)).toEqual(decoded(wholeOf(content, stop)))
    const events = streamOf(content, stop)
    const direct = client(gateway.upstream.url)
    gateway.upstream.enqueue(streaming(events), streaming(events))
    const expected = await direct.messages.stream(question('claude-x')).finalMessage()
    const seen: Json[] = []
    const stream = own.messages.stream(question(model)).on('streamEvent', (event) => seen.push(structuredClone(event) as unknown as Json))
    expect(decoded((await stream.finalMessage()) as unknown as Json)).toEqual(decoded(expected as unknown as Json))
    const asSent = events.filter(({ type }) => type !== 'ping').map((event) => JSON.parse(JSON.stringify(event)))
    expect(seen.map(({ stickler: _stickler, ...event }) => event)).toEqual(
      asSent.map((event) => (event.type === 'message_start' ? { ...event, message: { ...event.message, model } } : event)),
    )
  })
})

test.each(['pause_turn', 'refusal', 'model_context_window_exceeded', 'brand_new'])(
  '%s is the reason that a client is told',
  async (reason) => {
    gateway.upstream.enqueue(answeringBody(wholeOf([{ type: 'text', text: 'x' }], { stop_reason: reason, stop_sequence: null })))
    expect(await client(gateway.url).messages.create(question('plain'))).toMatchObject({ stop_reason: reason })
  },
)

test('a request travels as it was sent, with the headers of its API and nothing else', async () => {
  const source = `{ "max_tokens":64, "model":"kept","n_new":12345678901234567890,
    "system":[{"type":"text","text":"S","cache_control":{"type":"ephemeral","ttl":"1h"}}],
    "messages":[{"role":"user","content":[{"type":"document","title":"T","context":"C","citations":{"enabled":true},"source":{"type":"file","file_id":"f"},"cache_control":{"type":"ephemeral"}},{"type":"tool_result","tool_use_id":"t","is_error":true,"content":[{"type":"tool_reference","tool_name":"f"}]}]},{"role":"system","content":"mid"},{"role":"user","content":"hi"}],
    "tools":[{"type":"web_search_20250305","name":"web_search"},{"name":"f","input_schema":{"type":"object"},"strict":true,"defer_loading":true}],
    "output_config":{"effort":"max","format":{"type":"json_schema","schema":{}}},"output_format":null,"context_management":{"edits":[]},"service_tier":"auto","mcp_servers":[{"type":"url","url":"https://m.example","name":"m"}],"container":"c","inference_geo":"eu","thinking":{"type":"adaptive"}`
  gateway.upstream.enqueue(answeringBody(wholeOf([{ type: 'text', text: 'Yes.' }])))
  const headers = {
    'anthropic-beta': 'a-1,b-2',
    'anthropic-version': '2023-06-01',
    'x-api-key': 'client-key',
    'x-other': 'no',
    'content-type': 'application/json',
  }
  const response = await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers,
    body: `${source},"stickler":{"session":"s"},"api_base":"https://evil.example"}`,
  })
  expect([response.status, response.headers.get('x-stickler-dropped')]).toEqual([200, 'api_base'])
  const { body, headers: sent } = gateway.upstream.requests.at(-1) ?? {}
  expect(String(body)).toBe(`${source.replace('"kept"', '"claude-x"')}}`)
  expect(sent).toMatchObject({ 'anthropic-beta': 'a-1,b-2', 'anthropic-version': '2023-06-01', 'x-api-key': 'upstream-secret-key' })
  expect(sent).not.toHaveProperty('x-other')
})

test('a repair changes the block in its span, and nothing beside it', async () => {
  const before = [
    { type: 'text', text: 'A ', citations: [cited] },
    { type: 'text', text: '<!-- STEP: finalise -->', citations: [cited] },
    { type: 'text', text: ' B' },
  ]
  const after = before.map((block, at) => (at === 1 ? { ...block, text: '<!-- STEP: finalize -->' } : block))
  gateway.upstream.enqueue(answeringBody(wholeOf(before)), streaming(streamOf(before)))
  const own = client(gateway.url)
  const whole = await own.messages.create(question('marked'))
  expect(whole).toMatchObject({ stickler: { status: 'repaired' } })
  expect(decoded(whole as unknown as Json)).toEqual(decoded(wholeOf(after)))
  const streamed = await own.messages.stream(question('marked')).finalMessage()
  expect(streamed.content).toEqual(after)
})

test('a retry adds turns to the request, shows one answer, and sums usage with its details', async () => {
  const rejected = [
    { type: 'thinking', thinking: 'CANARY', signature: 's' },
    { type: 'text', text: 'one two three four five six CANARY' },
    call,
  ]
  const good = [{ type: 'text', text: 'Use spaces.' }]
  const summed = { ...usage, input_tokens: 6, output_tokens: 14, cache_creation: { ephemeral_5m_input_tokens: 10 } }
  gateway.upstream.enqueue(
    answeringBody(wholeOf(rejected)),
    answeringBody(wholeOf(good)),
    streaming(streamOf(rejected)),
    streaming(streamOf(good)),
  )
  const own = client(gateway.url)
  const whole = await own.messages.create(question('held'))
  const sent = gateway.upstream.requests.at(-1)?.json?.messages as Json[]
  expect(sent.slice(1)).toMatchObject([
    // As the model wrote it: with its reasoning, and a result for its call.
    { role: 'assistant', content: rejected },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: call.id, is_error: true, content: expect.stringMatching(/^Not executed.*MAX_WORDS/s) }],
    },
  ])
  const streamed = await own.messages.stream(question('held')).finalMessage()
  for (const message of [whole, streamed]) {
    // The client keeps what the first event of a stream says about the cache.
    const told = message === whole ? summed : { ...summed, cache_creation: usage.cache_creation }
    expect(message).toMatchObject({ content: good, usage: told, stop_reason: 'end_turn' })
    expect(JSON.stringify(message)).not.toContain('CANARY')
  }
})

test('a retry in a running stream goes on with blocks that the client accepts', async () => {
  const thought = { type: 'thinking', thinking: 'hm', signature: 's' }
  const first = [thought, { type: 'text', text: 'one two three four five six seven' }]
  const text = 'one two three four five.'
  const second = [thought, { type: 'text', text }]
  gateway.upstream.enqueue(streaming(streamOf(first)), streaming(streamOf(second)))
  const before = gateway.upstream.requests.length
  const message = await client(gateway.url).messages.stream(question('live')).finalMessage()
  expect(gateway.upstream.requests.length - before).toBe(2)
  expect(message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')).toBe(text)
  expect(message.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'thinking', 'text'])
  expect(message).toMatchObject({ stop_reason: 'end_turn', usage: { input_tokens: 6 } })
})

test('rules of a contract stand behind the system prompt in its own form', async () => {
  gateway.upstream.enqueue(answeringBody(wholeOf([{ type: 'text', text: 'Yes.' }])))
  const cache_control = { type: 'ephemeral' as const }
  await client(gateway.url).messages.create({ ...question('told'), system: [{ type: 'text', text: 'S', cache_control }] })
  expect(gateway.upstream.requests.at(-1)?.json?.system).toEqual([
    { type: 'text', text: 'S', cache_control },
    { type: 'text', text: expect.stringContaining('5') },
  ])
})

test.each([
  ['mcp_servers', { mcp_servers: [{ type: 'url', url: 'https://m.example' }], tools: [] }],
  ['tools[0].type', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
])('%s is refused where the upstream speaks another API', async (param, fields) => {
  const response = await gateway.post('/v1/messages', { ...question('gpt'), ...fields })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error', param } })
})
