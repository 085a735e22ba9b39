import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Behaviour } from '../../testing/programmable-upstream.ts'
import { answering, answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'

const yaml = `
upstreams:
  - { name: open, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
  - { name: stored, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
  - { name: claude, kind: anthropic, baseUrl: $UP, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  wide: { checks: [{ max_words: { limit: 500 } }], retries: 1 }
routes:
  - { model: open, upstream: open }
  - { model: stored, upstream: stored }
  - { model: stored-wide, upstream: stored, contract: wide }
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

describe("an error in the words of the client's own API", () => {
  const raw = async (path: string, model: string, behaviour: Behaviour) => {
    gateway.upstream.enqueue(behaviour)
    const response = await ask(path, model, true)
    const text = await response.text()
    const data = text.split('\n').filter((line) => line.startsWith('data: {'))
    return { status: response.status, text, last: JSON.parse(data.at(-1)?.slice(6) ?? text) as Record<string, unknown> }
  }
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content: 'Hello. ' } }] }

  test('N80 an error of Anthropic keeps its type and its request id, and gets no code', async () => {
    const error = { type: 'billing_error', message: 'Your balance is too low.' }
    for (const stream of [false, true]) {
      gateway.upstream.enqueue(
        answeringBody({ type: 'error', error, request_id: 'req_7' }, { status: 400, headers: { 'request-id': 'req_7' } }),
      )
      const response = await ask('/v1/messages', 'claude', stream)
      expect([response.status, response.headers.get('request-id')]).toEqual([400, 'req_7'])
      const { stickler, ...rest } = (await response.json()) as Record<string, unknown>
      expect(rest).toEqual({ type: 'error', error, request_id: 'req_7' })
    }
  })

  test('N81 an error of a server passes in its words where it has a name, and hides them where it has none', async () => {
    const message = 'Overloaded, see /srv/app/x.py'
    gateway.upstream.enqueue(answeringBody({ type: 'error', error: { type: 'overloaded_error', message } }, { status: 529 }))
    const named = await ask('/v1/messages', 'claude', false)
    expect([named.status, await errorIn(named)]).toEqual([529, { type: 'overloaded_error', message: 'Overloaded, see […]' }])
    gateway.upstream.enqueue(answeringBody({ error: { message: 'Traceback: secret' } }, { status: 500 }))
    expect(await (await ask('/v1/chat/completions', 'open', false)).text()).not.toContain('secret')
  })

  test('N82 an error in a stream keeps its further fields, without keys, addresses and choices', async () => {
    const error = {
      message: 'Gone: http://10.0.0.1/x',
      type: 'server_error',
      code: 502,
      metadata: { raw: 'sk-abc1 upstream-secret-key', provider: 'P' },
    }
    const { last, text } = await raw(
      '/v1/chat/completions',
      'open',
      answeringEvents([chunk, { id: 'c', error, choices: [], event: { type: 'execute' } }]),
    )
    expect(last).toEqual({
      id: 'c',
      error: { message: 'Gone: […]', type: 'server_error', code: 502, metadata: { raw: '[…] [redacted]', provider: 'P' }, param: null },
      stickler: expect.anything(),
    })
    expect(text).not.toContain('event:')
  })

  test('N83 an error in a stream cannot claim a verdict of the gateway', async () => {
    for (const model of ['open', 'open-wide']) {
      const error = { message: 'x', type: 'contract_violation', code: 'UNCHECKED', param: null }
      const { text } = await raw('/v1/chat/completions', model, answeringEvents([chunk, chunk, { error }]))
      expect(text).not.toMatch(/contract_violation|UNCHECKED/)
    }
  })

  test('N84 a response that fails is passed as it is, under a contract only its error', async () => {
    const response = (status: string, more: object) => ({ id: 'resp_1', object: 'response', status, model: 'm', output: [], ...more })
    const said = [
      { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'unjudged', annotations: [] }] },
    ]
    const events = [
      { type: 'response.created', response: response('in_progress', {}), sequence_number: 0 },
      {
        type: 'response.failed',
        response: response('failed', { output: said, error: { code: 'server_error', message: 'No.' } }),
        sequence_number: 1,
      },
    ]
    const plain = await raw('/v1/responses', 'stored', answeringEvents(events))
    expect(plain.status).toBe(200)
    expect(plain.last).toMatchObject({
      type: 'response.failed',
      response: { model: 'stored', output: said, error: { code: 'server_error' } },
    })
    expect(plain.text).toContain('response.created')
    const kept = await raw('/v1/responses', 'stored-wide', answeringEvents(events))
    expect([kept.status, kept.last]).toMatchObject([500, { error: { code: 'server_error', message: 'No.' } }])
    expect(kept.text).not.toContain('unjudged')
  })
})

test('a word for the end that nobody knows is not repeated in an error', async () => {
  const odd = 'CANARY sk-proj-AbCd1234EfGh5678IjKl9012'
  const choice = { index: 0, message: { role: 'assistant', content: 'Fine.' }, finish_reason: odd }
  const chunk = { index: 0, delta: { role: 'assistant', content: 'Fine.' }, finish_reason: odd }
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'Fine.' }], stop_reason: odd }
  const cases: readonly (readonly [path: string, model: string, stream: boolean, reply: Behaviour])[] = [
    ['/v1/chat/completions', 'open-wide', false, answeringBody({ id: 'c', choices: [choice] })],
    ['/v1/chat/completions', 'open-wide', true, answeringEvents([{ id: 'c', choices: [chunk] }])],
    ['/v1/responses', 'open-wide', true, answeringEvents([{ id: 'c', choices: [chunk] }])],
    ['/v1/messages', 'claude-wide', false, answeringBody({ ...message, usage: { input_tokens: 1, output_tokens: 1 } })],
  ]
  for (const [path, model, stream, reply] of cases) {
    gateway.upstream.enqueue(reply)
    const body = await (await ask(path, model, stream)).text()
    expect([path, stream, body.includes('no known reason for the end'), body.includes('CANARY')]).toEqual([path, stream, true, false])
  }
})
