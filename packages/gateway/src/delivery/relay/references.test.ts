import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { type ApiName, ask, dataOf } from '../../testing/wire.ts'

type Json = Record<string, unknown>

const yaml = `
upstreams:
  - { name: a, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
  - { name: o, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
contracts:
  kept: { checks: [{ max_words: { limit: 100 } }], retries: 0 }
routes:
  - { model: messages, upstream: a, contract: kept }
  - { model: responses, upstream: o, contract: kept }
  - { model: chat, upstream: o, contract: kept }
  - { model: plain, upstream: o }
`
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const evil = 'javascript:alert(1)//CANARY'
const good = 'https://a.example/'
const tools = [
  {
    type: 'function',
    name: 'fetch',
    parameters: { type: 'object', properties: { url: { type: 'string', description: 'Where to look: an absolute address.' } } },
  },
]
const picture = { type: 'image', url: 'data:image/png;base64,AAAA' }
const ran = { type: 'code_interpreter_call', id: 'c', status: 'completed', code: 'plot()', container_id: 'k', outputs: [picture] }
const annotation = (url: string): Json => ({ type: 'url_citation', url, title: 'T', start_index: 0, end_index: 1 })
const textPart = (urls: readonly string[]): Json => ({ type: 'output_text', text: 'Yes', annotations: urls.map(annotation) })
const said = (urls: readonly string[]): Json => ({
  type: 'message',
  id: 'i',
  role: 'assistant',
  status: 'completed',
  content: [textPart(urls)],
})
const response = (output: readonly Json[], further: Json = {}): Json => ({
  id: 'r',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'responses',
  output,
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  ...further,
})
const place = { item_id: 'i', output_index: 0, content_index: 0 }
const responseEvents = (urls: readonly string[], further: Json = {}): Json[] =>
  [
    { type: 'response.created', response: response([], { ...further, status: 'in_progress' }) },
    { type: 'response.output_item.added', output_index: 0, item: { ...said([]), content: [] } },
    { type: 'response.content_part.added', ...place, part: { ...textPart([]), text: '' } },
    { type: 'response.output_text.delta', ...place, delta: 'Yes' },
    ...urls.map((url, at) => ({
      type: 'response.output_text.annotation.added',
      ...place,
      annotation_index: at,
      annotation: annotation(url),
    })),
    { type: 'response.output_text.done', ...place, text: 'Yes' },
    { type: 'response.content_part.done', ...place, part: textPart(urls) },
    { type: 'response.output_item.done', output_index: 0, item: said(urls) },
    { type: 'response.completed', response: response([said(urls)], further) },
  ].map((event, at) => ({ ...event, sequence_number: at }))

const cited = (url: string): Json => ({ type: 'web_search_result_location', url, title: 'T', encrypted_index: 'x', cited_text: 'c' })
const found = (url: string): Json => ({ type: 'web_search_result', url, title: 'T: a word', encrypted_content: 'x' })
const message = (urls: readonly string[]): Json => ({
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'messages',
  content: [
    { type: 'web_search_tool_result', tool_use_id: 's', content: urls.map(found) },
    { type: 'text', text: 'Yes', citations: urls.map(cited) },
  ],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
})
const messageEvents = (urls: readonly string[]): Json[] => [
  { type: 'message_start', message: { ...message(urls), content: [], stop_reason: null } },
  {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'web_search_tool_result', tool_use_id: 's', content: urls.map(found) },
  },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '', citations: [] } },
  ...urls.map((url) => ({ type: 'content_block_delta', index: 1, delta: { type: 'citations_delta', citation: cited(url) } })),
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Yes' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
]
const completion = (urls: readonly string[]): Json => ({
  id: 'c',
  object: 'chat.completion',
  model: 'chat',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }],
  citations: urls,
})
const chunks = (urls: readonly string[]): Json[] =>
  ['Yes ', 'it ', 'is ', 'so.', undefined].map((content) => ({
    id: 'c',
    object: 'chat.completion.chunk',
    model: 'chat',
    citations: urls,
    choices: [{ index: 0, delta: content === undefined ? {} : { content }, finish_reason: content === undefined ? 'stop' : null }],
  }))

/** Everything but what the gateway adds, and how many references it says that it has left out. */
const seen = (json: Json): Json => {
  const inner = (json.response ?? {}) as Json
  const { stickler: _stickler, ...rest } = json
  if (json.response === undefined) return rest
  const { stickler: _inner, ...kept } = inner
  return { ...rest, response: kept }
}
const verdictOf = (all: readonly Json[]): Json => {
  const last = all.findLast((one) => one.stickler !== undefined || (one.response as Json | undefined)?.stickler !== undefined) as Json
  return (last.stickler ?? (last.response as Json).stickler) as Json
}

const wholes: Record<ApiName, (urls: readonly string[]) => Json> = {
  chat: completion,
  messages: message,
  responses: (urls) => response([ran, said(urls)], { tools, metadata: { source_uri: 's3://bucket/doc' } }),
}
const streams: Record<ApiName, (urls: readonly string[]) => Json[]> = {
  chat: chunks,
  messages: messageEvents,
  responses: (urls) => responseEvents(urls, { tools, metadata: { source_uri: 's3://bucket/doc' } }),
}
const apis = ['chat', 'messages', 'responses'] as const

/** Asks natively, whole or as a stream. */
async function answered(api: ApiName, how: string, urls: readonly string[]) {
  const isStream = how === 'streamed'
  gateway.upstream.enqueue(isStream ? answeringEvents(streams[api](urls), { done: api === 'chat' }) : answeringBody(wholes[api](urls)))
  const reply = await ask(gateway, api, { model: api, stream: isStream })
  return { body: reply.body, json: isStream ? dataOf(reply) : [reply.json as Json] }
}

describe.each(apis)('references in %s, natively under a contract', (api) => {
  test.each(['whole', 'streamed'])(
    'N90 what does not refer to the web is left out alone, and everything else arrives as it was sent, %s',
    async (how) => {
      const { body, json } = await answered(api, how, [evil, good])
      expect(body).not.toContain('CANARY')
      const expected = how === 'streamed' ? streams[api]([good]) : [wholes[api]([good])]
      const unnumbered = (all: readonly Json[]): Json[] =>
        all.map(({ sequence_number: _number, annotation_index: _index, ...rest }) => seen(rest))
      expect(unnumbered(json)).toEqual(unnumbered(expected))
      const left = api === 'messages' ? 2 : 1
      expect(verdictOf(json)).toMatchObject({
        status: 'valid',
        issues: [{ code: 'UNSAFE_ADDRESS', message: expect.stringContaining(String(left)) }],
      })
    },
  )

  test.each(['whole', 'streamed'])('N90 without unsound references nothing is missing, %s', async (how) => {
    const { json } = await answered(api, how, [good])
    expect(json.map(seen)).toEqual(how === 'streamed' ? streams[api]([good]) : [wholes[api]([good])])
    expect(verdictOf(json)).toMatchObject({ status: 'valid', issues: [] })
  })
})

test('N91 a name that is written with escapes is the same name', async () => {
  const body = JSON.stringify({ ...completion([]), x: { url: evil } }).replace('"url"', '"\\u0075rl"')
  gateway.upstream.enqueue(answeringBody(body))
  expect((await ask(gateway, 'chat', { model: 'chat' })).body).not.toContain('CANARY')
})
