import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answering, answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'

const yaml = `
upstreams:
  - { name: open, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
  - { name: claude, kind: anthropic, baseUrl: $UP, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  wide: { checks: [{ max_words: { limit: 500 } }], retries: 1 }
routes:
  - { model: open, upstream: open }
  - { model: open-wide, upstream: open, contract: wide }
  - { model: claude, upstream: claude }
  - { model: claude-wide, upstream: claude, contract: wide }
`
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const ask = (path: string, model: string, stream: boolean) => {
  const messages = [{ role: 'user', content: 'Hi' }]
  return gateway.post(path, path === '/v1/responses' ? { model, stream, input: 'Hi' } : { model, stream, messages, max_tokens: 50 })
}

/** The error in a body or in a stream. */
async function errorIn(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text()
  const data = text
    .split('\n')
    .map((line) => line.replace(/^data: ?/, ''))
    .filter((line) => line.startsWith('{') && line.includes('"error"'))
  return (JSON.parse(data.at(-1) ?? text) as { error: Record<string, unknown> }).error
}

const paths = ['/v1/chat/completions', '/v1/responses', '/v1/messages'] as const
const models = ['open', 'open-wide', 'claude', 'claude-wide'] as const
const message = "This model's maximum context length is 8192 tokens. See https://platform.openai.com/docs for `gpt-4o-mini-2024-07-18`."
const limits = {
  'x-ratelimit-remaining-tokens': '0',
  'anthropic-ratelimit-requests-limit': '50',
  'x-request-id': 'req_9',
  'retry-after': '7',
  'set-cookie': 'a=b',
  'openai-organization': 'org-x',
}

describe.each(paths)('%s', (path) => {
  test.each(models.flatMap((model) => [false, true].map((stream) => [model, stream] as const)))(
    'N29 a refusal by the provider of %s keeps its identity; streamed: %s',
    async (model, stream) => {
      const error = { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' }
      gateway.upstream.enqueue(answeringBody({ error }, { status: 400, headers: limits }))
      const response = await ask(path, model, stream)
      expect(response.status).toBe(400)
      expect(await errorIn(response)).toMatchObject(error)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'x-ratelimit-remaining-tokens': '0',
        'anthropic-ratelimit-requests-limit': '50',
        'x-upstream-request-id': 'req_9',
        'retry-after': '7',
      })
      expect(response.headers.get('x-request-id')).not.toBe('req_9')
      expect([response.headers.get('set-cookie'), response.headers.get('openai-organization')]).toEqual([null, null])
    },
  )

  test.each(['open', 'open-wide'])('an error in a running stream of %s keeps its names', async (model) => {
    const chunk = {
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta: { content: 'Hello. ' } }],
    }
    const error = { message: 'Slow down', type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' }
    gateway.upstream.enqueue(answeringEvents([chunk, chunk, { error }]))
    const told = await errorIn(await ask(path, model, true))
    expect(told).toMatchObject({ message: 'Slow down', type: 'rate_limit_error', code: 'rate_limit_exceeded' })
  })

  test.each([false, true])('a good answer tells the request id and the limits of the provider; streamed: %s', async (stream) => {
    gateway.upstream.enqueue(answering('Hello.', { headers: limits }))
    const response = await ask(path, 'open-wide', stream)
    expect(response.status).toBe(200)
    await response.text()
    expect([response.headers.get('x-upstream-request-id'), response.headers.get('x-ratelimit-remaining-tokens')]).toEqual(['req_9', '0'])
  })
})

test('a secret in an error or a header of the provider is masked', async () => {
  const key = 'upstream-secret-key'
  gateway.upstream.enqueue(answering('Hello.', { headers: { 'x-request-id': `req-${key}` } }))
  const good = await ask('/v1/chat/completions', 'open', false)
  expect(good.headers.get('x-upstream-request-id')).toBe('req-[redacted]')
  const error = { message: `Wrong key ${key}`, type: 'invalid_request_error', code: null, param: null }
  gateway.upstream.enqueue(answeringBody({ error }, { status: 400, headers: { 'x-request-id': `req-${key}` } }))
  const response = await ask('/v1/chat/completions', 'open', false)
  expect(`${JSON.stringify(Object.fromEntries(response.headers))}${await response.text()}`).not.toContain(key)
})
