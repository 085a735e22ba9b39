import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'

const yaml = `
upstreams:
  - { name: priced, kind: openai, baseUrl: $UP/v1, retries: 0, price: { prompt: 1, completion: 2 } }
  - { name: claude, kind: anthropic, baseUrl: $UP/v1, retries: 0, price: { prompt: 1, completion: 2 } }
  - { name: free, kind: openai, baseUrl: $UP/v1, retries: 0 }
contracts:
  brief: { checks: [{ max_words: { limit: 9 } }] }
routes:
  - { model: priced, upstream: priced, contract: brief, exemptApis: [completions] }
  - { model: claude, upstream: claude }
  - { model: either, upstream: free, fallback: [priced] }
  - { model: free, upstream: free }
`
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const messages = [{ role: 'user', content: 'Hi' }]
const bodies: readonly (readonly [string, string, object])[] = [
  ['/v1/chat/completions', 'priced', { messages }],
  ['/v1/chat/completions', 'priced', { messages, stream: true }],
  ['/v1/chat/completions', 'either', { messages }],
  ['/v1/responses', 'priced', { input: 'Hi' }],
  ['/v1/messages', 'priced', { messages, max_tokens: 9 }],
  ['/v1/messages', 'claude', { messages, max_tokens: 9 }],
  ['/v1/completions', 'priced', { prompt: 'Hi' }],
  ['/v1/embeddings', 'priced', { input: 'Hi' }],
]

describe.each(bodies)('%s of the model %s', (path, model, body) => {
  test.each<[string, object]>([
    ['models', { models: ['dear'] }],
    ['route', { route: 'fallback' }],
    ['provider', { provider: { order: ['dear'] } }],
    ['Models', { Models: ['dear'] }],
    ['MODEL', { MODEL: 'dear' }],
    ['plugins', { plugins: [{ id: 'web' }] }],
    ['preset', { preset: 'dear' }],
    ['providerOptions', { providerOptions: { gateway: { models: ['dear'] } } }],
    ['service_tier', { service_tier: 'priority' }],
    ['speed', { speed: 'fast' }],
    ['extra_body.models', { extra_body: { models: ['dear'] } }],
    ['extra_body.model', { extra_body: { model: 'dear' } }],
  ])('refuses %s before anything is sent', async (param, fields) => {
    const before = gateway.upstream.requests.length
    const response = await gateway.post(path, { model, ...body, ...fields })
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: Record<string, unknown> }
    expect(error.message).toContain(`${param} is not supported`)
    expect(gateway.upstream.requests.length).toBe(before)
  })
})

test.each<[string, object]>([
  ['priced', { service_tier: 'flex', models: null, metadata: { provider: 'x' } }],
  ['priced', { service_tier: 'auto' }],
  ['free', { models: ['a', 'b'], route: 'fallback', provider: { order: ['x'] }, service_tier: 'priority' }],
])('the model %s passes on %j', async (model, fields) => {
  gateway.upstream.enqueue(answering('Hello.'))
  const response = await gateway.post('/v1/chat/completions', { model, messages, ...fields })
  expect(response.status).toBe(200)
  expect(gateway.upstream.requests.at(-1)?.json).toMatchObject(fields)
})
