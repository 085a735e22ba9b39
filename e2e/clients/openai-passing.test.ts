import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answeringBody } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'

const yaml = `
server: { port: 0, bodyLimit: 65536 }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
  - { name: other, kind: anthropic, baseUrl: $UP, retries: 0 }
routes:
  - { model: media, upstream: up, upstreamModel: real-model }
  - { model: claude, upstream: other }
`
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const sending =
  (contentType: string, body: string | Uint8Array): Behaviour =>
  ({ response }) =>
    void response
      .writeHead(200, { 'content-type': contentType, 'x-request-id': 'req_provider', 'x-ratelimit-remaining-requests': '7' })
      .end(body)

const binary = Uint8Array.from({ length: 4096 }, (_, at) => (at * 31) % 256)
const audio = () => toFile(binary, 'speech.wav', { type: 'audio/wav' })
const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7, input_tokens_details: { text_tokens: 3, image_tokens: 0 } }
const events = (...list: readonly object[]) => list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

type Call = (client: OpenAI) => Promise<unknown>
const bytesOf = async (response: { arrayBuffer(): Promise<ArrayBuffer> }) => Buffer.from(await response.arrayBuffer()).toString('hex')
const all = async (stream: AsyncIterable<unknown>) => {
  const found: unknown[] = []
  for await (const event of stream) found.push(event)
  return found
}

const model = 'media'
const pictures = JSON.stringify({ created: 1, data: [{ b64_json: 'AAAA', unknown: 12345 }], usage })
const cases: readonly [name: string, path: string, behaviour: Behaviour, call: Call][] = [
  [
    'moderations',
    '/v1/moderations',
    sending(
      'application/json',
      '{"id":"modr-1","model":"real-model","results":[{"flagged":true,"categories":{"violence":true},"new":[1]}]}',
    ),
    (client) => client.moderations.create({ model, input: ['a', 'b'] }),
  ],
  [
    'pictures',
    '/v1/images/generations',
    sending('application/json', pictures),
    (client) => client.images.generate({ model, prompt: 'A cat' }),
  ],
  [
    'streamed pictures',
    '/v1/images/generations',
    sending(
      'text/event-stream',
      events({ type: 'image_generation.partial_image', b64_json: 'AA' }, { type: 'image_generation.completed', b64_json: 'AAAA', usage }),
    ),
    async (client) => all(await client.images.generate({ model, prompt: 'A cat', stream: true, partial_images: 1 })),
  ],
  [
    'changed pictures',
    '/v1/images/edits',
    sending('application/json', pictures),
    async (client) =>
      client.images.edit({ model, prompt: 'A hat', image: [await audio(), await toFile(binary, 'b.png', { type: 'image/png' })] }),
  ],
  [
    'varied pictures',
    '/v1/images/variations',
    sending('application/json', pictures),
    async (client) => client.images.createVariation({ model, image: await audio() }),
  ],
  [
    'speech',
    '/v1/audio/speech',
    sending('audio/mpeg', binary),
    async (client) => bytesOf(await client.audio.speech.create({ model, voice: 'alloy', input: 'Hello' })),
  ],
  [
    'transcriptions',
    '/v1/audio/transcriptions',
    sending('application/json', '{"text":"Hello","usage":{"type":"duration","seconds":2}}'),
    async (client) => client.audio.transcriptions.create({ model, file: await audio(), language: 'en' }),
  ],
  [
    'transcriptions as text',
    '/v1/audio/transcriptions',
    sending('text/plain; charset=utf-8', 'Grüße\n'),
    async (client) => client.audio.transcriptions.create({ model, file: await audio(), response_format: 'text' }),
  ],
  [
    'streamed transcriptions',
    '/v1/audio/transcriptions',
    sending(
      'text/event-stream',
      events({ type: 'transcript.text.delta', delta: 'Hel' }, { type: 'transcript.text.done', text: 'Hello', usage }),
    ),
    async (client) => all(await client.audio.transcriptions.create({ model, file: await audio(), stream: true })),
  ],
  [
    'translations',
    '/v1/audio/translations',
    sending('application/json', '{"text":"Hello"}'),
    async (client) => client.audio.translations.create({ model, file: await audio() }),
  ],
]

/** A form without its boundary and its model. */
const comparable = (body: string, contentType: string) =>
  body
    .replaceAll(/boundary=(\S+)/.exec(contentType)?.[1] ?? '\u0000', 'BOUNDARY')
    .replace(/content-disposition: form-data; name="model"\r\n\r\n[a-z-]+/i, '')
    .replace(/"model":"[a-z-]+"/, '')

describe.each(cases)('%s', (_, path, behaviour, call) => {
  it('decodes to the same as without the gateway, and reaches the provider as it was sent', async () => {
    gateway.upstream.enqueue(behaviour, behaviour)
    const direct = await call(new OpenAI({ baseURL: `${gateway.upstream.url}/v1`, apiKey: 'any', maxRetries: 0 }))
    const before = gateway.upstream.requests.at(-1)
    const passed = await call(new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 }))
    const sent = gateway.upstream.requests.at(-1)
    expect(passed).toEqual(direct)
    expect(sent?.path).toBe(path)
    expect(sent?.headers.authorization).toBe('Bearer upstream-secret-key')
    const bodies = [before, sent].map((request) => comparable(request?.body ?? '', request?.headers['content-type'] ?? ''))
    expect(bodies[1]).toBe(bodies[0])
    expect(sent?.body).toContain('real-model')
  })
})

test('answers are marked, and carry the request id and the rate limits of the provider', async () => {
  gateway.upstream.enqueue(sending('application/json', '{}'))
  const { headers } = await gateway.post('/v1/moderations', { model, input: 'a' })
  expect(Object.fromEntries(headers)).toMatchObject({
    'x-stickler-status': 'unenforced',
    'x-upstream-request-id': 'req_provider',
    'x-ratelimit-remaining-requests': '7',
    'x-request-id': expect.not.stringContaining('req_provider'),
  })
})

const post = (body: FormData | string, headers = {}) => fetch(`${gateway.url}/v1/audio/transcriptions`, { method: 'POST', body, headers })
const form = (fields: Readonly<Record<string, string>>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  data.append('file', new Blob([binary]), 'a.wav')
  return data
}
const twice = () => {
  const data = form({ model })
  data.append('model', 'other')
  return data
}

test.each<[string, () => Promise<Response>, number, string | null]>([
  ['an unknown model', () => post(form({ model: 'medai' })), 404, 'model_not_found'],
  ['no model', () => post(form({})), 400, null],
  ['two models', () => post(twice()), 400, null],
  ['an upstream that has none', () => post(form({ model: 'claude' })), 404, 'unsupported'],
  ['a broken form', () => post('--x\r\n', { 'content-type': 'multipart/form-data; boundary=x' }), 400, 'invalid_form'],
  [
    'a form where JSON is wanted',
    () => fetch(`${gateway.url}/v1/moderations`, { method: 'POST', body: form({ model }) }),
    415,
    'unsupported_content_type',
  ],
  ['too large a file', () => post(form({ model, prompt: 'x'.repeat(70_000) })), 413, 'body_too_large'],
])('%s is refused', async (_, ask, status, code) => {
  const before = gateway.upstream.requests.length
  const response = await ask()
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error: { code } })
  expect(gateway.upstream.requests.length).toBe(before)
})

test('fields that only the gateway may set do not reach the provider', async () => {
  gateway.upstream.enqueue(sending('application/json', '{"text":""}'))
  const response = await post(form({ model, api_base: 'http://evil.example', 'stickler[contract]': '', language: 'de' }))
  expect(response.status).toBe(200)
  const body = gateway.upstream.requests.at(-1)?.body ?? ''
  expect(body).toContain('name="language"')
  expect(body).not.toMatch(/evil|stickler/)
})

test('a refusal keeps its identity', async () => {
  const error = { message: 'Unsupported file', type: 'invalid_request_error', param: 'file', code: 'unsupported_format' }
  const refusal = answeringBody({ error }, { status: 400, headers: { 'x-request-id': 'req_9' } })
  gateway.upstream.enqueue(refusal)
  const response = await post(form({ model }))
  expect([response.status, response.headers.get('x-upstream-request-id')]).toEqual([400, 'req_9'])
  expect(await response.json()).toEqual({ error })
})
