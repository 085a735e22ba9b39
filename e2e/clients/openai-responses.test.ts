import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { responseEvents, type WrittenItem } from '../../packages/core/src/apis/responses/testing/response-events.ts'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering, answeringBody } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, apis: [chat, responses], retries: 0 }
  - { name: old, kind: openai, baseUrl: $UP/v1, retries: 0 }
contracts:
  wide: { checks: [{ max_words: { limit: 500 } }], retries: 1 }
  brief: { checks: [{ max_words: { limit: 3 } }], retries: 1, stream: hold }
  marked: { checks: [step_marker], retries: 0 }
  called: { checks: [tool_calls], retries: 1 }
routes:
  - { model: real-model, upstream: up }
  - { model: plain, upstream: up, upstreamModel: real-model }
  - { model: wide, upstream: up, upstreamModel: real-model, contract: wide }
  - { model: brief, upstream: up, upstreamModel: real-model, contract: brief }
  - { model: marked, upstream: up, upstreamModel: real-model, contract: marked }
  - { model: called, upstream: up, upstreamModel: real-model, contract: called }
  - { model: old, upstream: old }
`
let gateway: TestGateway
let direct: OpenAI
let client: OpenAI

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
  direct = new OpenAI({ baseURL: `${gateway.upstream.url}/v1`, apiKey: 'any', maxRetries: 0 })
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 })
})
afterAll(() => gateway.close())

/** Answers as OpenAI does: in events when asked for a stream, otherwise whole. */
const responding =
  (items: readonly WrittenItem[], fields = {}): Behaviour =>
  ({ request, response }) => {
    const events = responseEvents(items, fields)
    const last = JSON.parse(events.at(-1) ?? '')
    if (request.json?.stream !== true) {
      response
        .writeHead(200, { 'content-type': 'application/json', 'x-ratelimit-remaining-tokens': '9' })
        .end(JSON.stringify(last.response))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const data of events) response.write(`event: ${JSON.parse(data).type}\ndata: ${data}\n\n`)
    response.end()
  }

const url = { type: 'url_citation', start_index: 0, end_index: 5, url: 'https://example.com/a', title: 'A' }
const answers: Readonly<Record<string, readonly WrittenItem[]>> = {
  'a text with citations': [{ text: ['Hello ', 'wor', 'ld 😀.'], annotations: [url] }],
  'encrypted reasoning': [{ thought: 'Hm.' }, { text: ['Yes.'] }],
  'a built-in tool': [
    { other: { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'x' } } },
    { text: ['Found.'] },
  ],
  'a function call': [{ text: ['Let me see.'] }, { call: 'find', arguments: ['{"q":', '"x"}'] }],
  'an item that nobody knows': [{ other: { type: 'new_thing', value: { deep: [1, null] } } }, { text: ['Well.'] }, { text: ['More.'] }],
  'a picture alone': [{ other: { type: 'image_generation_call', status: 'completed', result: 'AAAA' } }],
  'no text': [{ text: [] }],
}
const tools = [
  { type: 'function' as const, name: 'find', parameters: { type: 'object', properties: { q: { type: 'string' } } }, strict: false },
]

/** Without what the gateway may add or change. */
function comparable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, member) => (key === 'stickler' || key === 'model' || key === '_request_id' ? undefined : member)),
  )
}

async function all(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const event of stream) found.push(event)
  return found
}

const ways: Readonly<Record<string, (to: OpenAI, model: string) => Promise<unknown>>> = {
  whole: (to, model) => to.responses.create({ model, input: 'Hi', tools }),
  'as events': async (to, model) => all(await to.responses.create({ model, input: 'Hi', tools, stream: true })),
  'put together by the client': (to, model) => to.responses.stream({ model, input: 'Hi', tools }).finalResponse(),
}

describe.each(Object.entries(answers))('%s', (name, items) => {
  test.each(Object.keys(ways).flatMap((way) => ['plain', 'wide'].map((model) => [way, model] as const)))(
    'N23 %s, asked of %s',
    async (way, model) => {
      // A contract has a word of its own on answers that hold nothing to check.
      if (model === 'wide' && (name === 'no text' || name === 'a picture alone')) return
      gateway.upstream.enqueue(responding(items), responding(items))
      const expected = comparable(await ways[way]?.(direct, 'real-model'))
      expect(comparable(await ways[way]?.(client, model))).toEqual(expected)
    },
  )
})

const conversation = {
  previous_response_id: 'resp_0',
  store: true,
  include: ['reasoning.encrypted_content' as const],
  tools: [{ type: 'web_search' as const }, { type: 'mcp' as const, server_label: 's', server_url: 'https://example.com' }],
  reasoning: { effort: 'low' as const, summary: 'auto' as const },
  metadata: { a: 'b' },
  truncation: 'auto' as const,
}

test('N24 a request reaches the provider as it was sent', async () => {
  gateway.upstream.enqueue(responding([{ text: ['Yes.'] }]))
  const input = [
    { type: 'reasoning', id: 'rs_1', encrypted_content: 'gAAA', summary: [] },
    { type: 'item_reference', id: 'msg_1' },
    { role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] },
  ]
  const body = JSON.stringify({ ...conversation, input, model: 'wide', stickler: { session: 'x' }, api_base: 'http://evil.example' })
  const response = await gateway.post('/v1/responses', body.replace('"wide"', '"wide","seed":12345678901234567890'))
  expect(response.status).toBe(200)
  expect([response.headers.get('x-ratelimit-remaining-tokens'), response.headers.get('x-stickler-dropped')]).toEqual(['9', 'api_base'])
  const { path, json, body: sent } = gateway.upstream.requests.at(-1) ?? {}
  expect(path).toBe('/v1/responses')
  expect(json).toMatchObject({ ...conversation, input, model: 'real-model' })
  expect(sent).toContain('"seed":12345678901234567890')
  expect(sent).not.toMatch(/stickler|evil/)
})

describe.each([false, true])('under a contract; streamed: %s', (stream) => {
  const finish = (model: string, fields = {}) =>
    stream
      ? client.responses.stream({ model, input: 'Hi', ...fields }).finalResponse()
      : client.responses.create({ model, input: 'Hi', ...fields, stream: false })

  test('N25 a retry keeps the stored conversation, and the client sees one answer with what both used', async () => {
    const before = gateway.upstream.requests.length
    gateway.upstream.enqueue(responding([{ text: ['One two three four.'] }]), responding([{ text: ['One two.'] }], { id: 'resp_2' }))
    const response = await finish('brief', { previous_response_id: 'resp_0', store: true })
    expect(response).toMatchObject({ id: 'resp_2', model: 'brief', output_text: 'One two.', stickler: { status: 'valid', attempts: 2 } })
    expect(response.usage).toMatchObject({
      input_tokens: 72,
      output_tokens: 174,
      total_tokens: 246,
      input_tokens_details: { cached_tokens: 8 },
    })
    const [, again] = gateway.upstream.requests.slice(before)
    expect(again?.json).toMatchObject({
      previous_response_id: 'resp_0',
      store: true,
      input: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'One two three four.' },
        { role: 'user', content: expect.stringContaining('3 words') },
      ],
    })
  })

  test('N26 a repair is in every place that repeats the text', async () => {
    gateway.upstream.enqueue(responding([{ thought: 'Hm.' }, { text: ['Which ', 'database?'], annotations: [url] }]))
    const response = await finish('marked')
    expect(response.output_text).toMatch(/^Which database\?\s+<!-- STEP: \w+ -->\s*$/)
    expect(response).toMatchObject({
      stickler: { status: 'repaired' },
      output: [{ type: 'reasoning' }, { content: [{ annotations: [url] }] }],
    })
  })

  test('N27 a wrong call behind words is asked for again', async () => {
    gateway.upstream.enqueue(
      responding([{ text: ['Let me see.\n'] }, { call: 'fnid', arguments: ['{}'] }]),
      responding([{ call: 'find', arguments: ['{"q":"x"}'] }], { id: 'resp_2' }),
    )
    const response = await finish('called', { tools })
    expect(response).toMatchObject({ status: 'completed', stickler: { attempts: 2 } })
    const calls = response.output.filter(({ type }) => type === 'function_call')
    expect(calls).toMatchObject([{ name: 'find', arguments: '{"q":"x"}' }])
  })
})

test('N28 an error keeps its identity, whole and in a stream', async () => {
  const error = {
    message: 'Your input exceeds the context window of this model.',
    type: 'invalid_request_error',
    param: 'input',
    code: 'context_length_exceeded',
  }
  const refusing = answeringBody({ error }, { status: 400, headers: { 'x-request-id': 'req_1', 'x-ratelimit-limit-tokens': '5' } })
  const failing: Behaviour = ({ response }) => {
    const { type: _, ...names } = error
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`event: error\ndata: ${JSON.stringify({ type: 'error', sequence_number: 0, ...names })}\n\n`)
  }
  for (const behaviour of [refusing, failing]) {
    for (const model of ['plain', 'wide']) {
      gateway.upstream.enqueue(behaviour)
      const thrown = await client.responses.create({ model, input: 'Hi', stream: behaviour === failing }).catch((reason) => reason)
      expect(thrown).toMatchObject({ status: 400, code: error.code, param: error.param, type: error.type })
      expect(thrown.message).toContain(error.message)
      if (behaviour === refusing) expect(thrown.headers.get('x-upstream-request-id')).toBe('req_1')
    }
  }
})

describe('an upstream that speaks another API', () => {
  test.each<[string, object, string]>([
    ['a stored conversation', { previous_response_id: 'resp_0' }, 'previous_response_id'],
    ['a built-in tool', { tools: [{ type: 'web_search' }] }, 'tools[0].type'],
    [
      'a file that it does not have',
      { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] },
      'input[0].content[0].file_id',
    ],
    ['an answer in the background', { background: true }, 'background'],
  ])('refuses %s and names it', async (_, fields, param) => {
    const before = gateway.upstream.requests.length
    const thrown = await client.responses.create({ model: 'old', input: 'Hi', ...fields, stream: false }).catch((reason) => reason)
    expect(thrown).toMatchObject({ status: 400, param })
    expect(gateway.upstream.requests.length).toBe(before)
  })

  test('lists what it left out', async () => {
    const { include, reasoning, metadata, truncation, store } = conversation
    const input = [
      { type: 'reasoning', id: 'rs_1', encrypted_content: 'gAAA', summary: [] },
      { role: 'user', content: 'Hi' },
    ]
    gateway.upstream.enqueue(answering('Hello.'))
    const response = await gateway.post('/v1/responses', { model: 'old', input, include, reasoning, metadata, truncation, store })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-stickler-dropped')?.split(', ').sort()).toEqual([
      'include[]',
      'input[]',
      'metadata',
      'reasoning.summary',
      'store',
      'truncation',
    ])
  })
})
