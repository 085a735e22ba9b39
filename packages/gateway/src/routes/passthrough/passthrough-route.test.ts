import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { breakingOff, failing, silence } from '../../testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
  - { name: hasty, kind: openai, baseUrl: $UP/v1, retries: 0, timeouts: { firstByte: 0.3 } }
  - { name: claude, kind: anthropic, baseUrl: $UP/v1, retries: 0 }
contracts:
  brief: { checks: [{ max_words: { limit: 1 } }] }
routes:
  - { model: small, upstream: up, upstreamModel: real-model, contract: brief, exemptApis: [completions] }
  - { model: strict, upstream: up, upstreamModel: real-model, contract: brief, exemptTasks: [title_generation] }
  - { model: hasty, upstream: hasty }
  - { model: claude, upstream: claude }
`
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

describe.each([
  ['/v1/completions', { prompt: 'Once upon', echo: true, unknown: [null, { deep: 1 }] }],
  ['/v1/embeddings', { input: ['a', 'b'], encoding_format: 'float', unknown: [null, { deep: 1 }] }],
])('%s', (path, body) => {
  it('passes bodies on as they are, and marks the answer as unenforced', async () => {
    gateway.upstream.enqueue(answering('a time of many words'))
    const response = await gateway.post(path, { model: 'small', ...body, stickler: { session: 'x' }, api_base: 'http://evil.example' })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-stickler-status')).toBe('unenforced')
    expect(response.headers.get('x-stickler-contract')).toBe('')
    expect(response.headers.get('x-request-id')).toBeTruthy()
    const { path: asked, json, headers } = gateway.upstream.requests.at(-1) ?? {}
    expect(asked).toBe(path)
    expect(json).toEqual({ model: 'real-model', ...body })
    expect(headers?.authorization).toBe('Bearer upstream-secret-key')
    expect(await response.json()).toMatchObject({ object: path === '/v1/completions' ? 'text_completion' : 'list' })
  })

  test.each([
    ['an unknown model', { model: 'smal' }, 404, 'model_not_found'],
    ['no model', {}, 400, null],
    ['an upstream that has none', { model: 'claude' }, 404, 'unsupported'],
  ])('%s is refused', async (_, model, status, code) => {
    const response = await gateway.post(path, { ...body, ...model })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { param: 'model', code, message: expect.any(String), type: expect.any(String) } })
  })

  test.each([
    ['refuses', failing(400, {}, 'no such thing'), 400],
    ['limits', failing(429, { 'retry-after': '4' }), 429],
    ['fails', failing(500), 500],
    ['is silent', silence, 504],
  ])('an upstream that %s is told like any other', async (_, behaviour, status) => {
    gateway.upstream.enqueue(behaviour)
    const response = await gateway.post(path, { model: behaviour === silence ? 'hasty' : 'small', ...body })
    expect(response.status).toBe(status)
    expect(response.headers.get('retry-after')).toBe(status === 429 ? '4' : null)
    expect(Object.keys(((await response.json()) as { error: object }).error)).toEqual(['message', 'type', 'param', 'code'])
  })
})

it('speaks with the official client', async () => {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any' })
  gateway.upstream.enqueue(answering('a time'), answering(''))
  expect((await client.completions.create({ model: 'small', prompt: 'Once upon' })).choices[0]?.text).toBe('a time')
  const { data } = await client.embeddings.create({ model: 'small', input: ['a', 'b'], encoding_format: 'float' })
  expect(data.map(({ embedding }) => embedding)).toEqual([
    [0.25, -0.5, 0],
    [0.25, -0.5, 1],
  ])
})

it('passes streams on', async () => {
  gateway.upstream.enqueue(answering('a time'))
  const response = await gateway.post('/v1/completions', { model: 'small', prompt: 'Once upon', stream: true })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  expect((await response.text()).trimEnd().endsWith('data: [DONE]')).toBe(true)
})

it('breaks off where the upstream broke off, so that nothing looks whole', async () => {
  gateway.upstream.enqueue(breakingOff('a time', 2))
  const response = await gateway.post('/v1/completions', { model: 'small', prompt: 'Once upon', stream: true })
  await expect(response.text()).rejects.toThrow()
})

it('ends the call of the upstream when the client has gone', async () => {
  const before = gateway.upstream.requests.length
  gateway.upstream.enqueue(answering('a time', { events: 1, afterwards: () => {} }))
  const controller = new AbortController()
  const response = await gateway.post('/v1/completions', { model: 'small', prompt: 'x', stream: true }, {}, controller.signal)
  expect(gateway.upstream.requests.length).toBe(before + 1)
  controller.abort()
  await expect(response.text()).rejects.toThrow()
  const request = gateway.upstream.requests.at(-1)
  await request?.closed
  expect(request?.aborted).toBe(true)
})

describe('A04 a route with a contract', () => {
  test.each([
    ['plainly', {}, {}],
    ['as a stream', { stream: true }, {}],
    ['for a task that is exempt elsewhere', {}, { 'x-stickler-task': 'title_generation' }],
    ['with a wish to skip it', { stickler: { contract: '' } }, {}],
  ])('refuses completions asked for %s, without a call', async (_, fields, headers) => {
    const before = gateway.upstream.requests.length
    const response = await gateway.post('/v1/completions', { model: 'strict', prompt: 'Once upon', ...fields }, headers)
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ error: { param: 'model', code: 'not_enforceable', type: 'invalid_request_error' } })
    expect(gateway.upstream.requests.length).toBe(before)
  })

  it('passes embeddings on, which are not answers', async () => {
    gateway.upstream.enqueue(answering(''))
    const response = await gateway.post('/v1/embeddings', { model: 'strict', input: 'a' })
    expect([response.status, response.headers.get('x-stickler-status')]).toEqual([200, 'unenforced'])
    await response.arrayBuffer()
  })
})
