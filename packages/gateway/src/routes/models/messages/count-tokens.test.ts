import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answeringBody } from '../../../testing/programmable-upstream-answers.ts'
import { failing } from '../../../testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }
  - { name: claude, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  brief: { checks: [{ max_words: { limit: 1 } }] }
routes:
  - { model: mine, upstream: claude, upstreamModel: claude-x, contract: brief }
  - { model: gpt, upstream: up }
  - { model: either, upstream: up, fallback: [claude] }
`
let gateway: TestGateway
const path = '/v1/messages/count_tokens'
const question = { model: 'mine', messages: [{ role: 'user' as const, content: 'hi' }] }

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

it('counts tokens where Anthropic answers, and marks the count as unenforced', async () => {
  gateway.upstream.enqueue(
    answeringBody({ input_tokens: 14, context_management: { original_input_tokens: 20 } }, { headers: { 'request-id': 'req_1' } }),
  )
  const client = new Anthropic({ baseURL: gateway.url, apiKey: 'k', maxRetries: 0 })
  const body = {
    ...question,
    system: [{ type: 'text' as const, text: 'S', cache_control: { type: 'ephemeral' as const } }],
    stickler: {},
    api_base: 'https://evil.example',
  }
  const { data, response } = await client.messages
    .countTokens(body, { headers: { 'anthropic-beta': 'b-1,b-2', 'anthropic-version': '2023-01-01' } })
    .withResponse()
  expect(data).toEqual({ input_tokens: 14, context_management: { original_input_tokens: 20 } })
  expect(Object.fromEntries(response.headers)).toMatchObject({ 'x-stickler-status': 'unenforced', 'x-stickler-contract': '' })
  const { json, headers, path: asked } = gateway.upstream.requests.at(-1) ?? {}
  expect(asked).toBe(path)
  expect(json).toEqual({ ...question, model: 'claude-x', system: body.system })
  expect(headers).toMatchObject({ 'x-api-key': 'upstream-secret-key', 'anthropic-beta': 'b-1,b-2', 'anthropic-version': '2023-01-01' })
})

it('asks the upstream that can count among several', async () => {
  gateway.upstream.enqueue(answeringBody({ input_tokens: 1 }))
  expect((await gateway.post(path, { ...question, model: 'either' })).status).toBe(200)
  expect(gateway.upstream.requests.at(-1)?.headers).toHaveProperty('x-api-key')
})

it.each([
  [
    'an upstream that cannot count',
    { ...question, model: 'gpt' },
    404,
    { type: 'not_found_error', message: expect.stringContaining('/messages/count_tokens') },
  ],
  ['a model without a route', { ...question, model: 'min' }, 404, { type: 'not_found_error', message: expect.stringContaining('mine') }],
  ['no model', {}, 400, { type: 'invalid_request_error' }],
])('refuses %s in the words of the API, and invents no count', async (_name, body, status, error) => {
  const before = gateway.upstream.requests.length
  const response = await gateway.post(path, body)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ type: 'error', error })
  expect(gateway.upstream.requests.length).toBe(before)
})

it("passes on the provider's refusal", async () => {
  gateway.upstream.enqueue(failing(429, { 'retry-after': '4' }))
  const response = await gateway.post(path, question)
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '4'])
  expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
})
