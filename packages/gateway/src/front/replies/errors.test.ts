import { type FailureKind, RunnerFailure } from '@stickler/core'
import { HttpError, messagesErrorBody, openaiErrorBody } from '@stickler/core/internal/apis'
import { describeError } from '@stickler/core/internal/relay'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askErrorBody } from '../../routes/ask/ask-route.ts'
import { RawClient, rawRequest, sendRaw, startFront, type TestFront, until } from '../../testing/http-front.ts'
import { CircuitOpen } from '../../upstreams/resilience/guarded-call.ts'
import type { Route } from '../exchange.ts'
import { plainErrorBody } from './error-bodies.ts'
import { sendJson } from './json-response.ts'

let front: TestFront
let thrown: unknown
let synchronous = false
const shapes = {
  openai: openaiErrorBody,
  anthropic: messagesErrorBody,
  ask: askErrorBody,
  plain: plainErrorBody,
}

beforeAll(async () => {
  const handler: Route['handler'] = (): Promise<void> => {
    if (synchronous) throw thrown
    return Promise.reject(thrown)
  }
  front = await startFront([
    ...Object.entries(shapes).map(([name, errors]): Route => ({ method: 'GET', path: `/${name}`, access: 'read', errors, handler })),
    { method: 'GET', path: '/default', access: 'read', handler },
    { method: 'GET', path: '/silent', access: 'read', handler: async () => undefined },
    {
      method: 'GET',
      path: '/twice',
      access: 'read',
      handler: async (exchange) => {
        sendJson(exchange, 200, 'x'.repeat(20_000_000))
        exchange.response.write('more')
        throw new Error('after the end')
      },
    },
  ])
})
afterAll(() => front.close())

const ask = async (path: string, error: unknown) => {
  thrown = error
  front.lines.length = 0
  const [answer] = await sendRaw(front.port, rawRequest('GET', path, ['x-request-id: mine']), 1)
  if (answer === undefined) throw new Error('no answer')
  return answer
}

const failure = (kind: FailureKind, details = {}) => new RunnerFailure(kind, 'secret detail of http://10.0.0.1:99/x', details)
const provider = (message: string) => JSON.stringify({ error: { message } })

describe('failures of the upstream', () => {
  const cases: [name: string, failure: RunnerFailure, status: number, code: string, retryAfter?: string][] = [
    ['connection', failure('connection'), 502, 'upstream_unreachable'],
    ['no connection for a while', failure('connection', { retryAfterMs: 1 }), 502, 'upstream_unreachable', '1'],
    ['open circuit', new CircuitOpen('main', 4200), 503, 'upstream_circuit_open', '5'],
    ['timeout', failure('timeout'), 504, 'upstream_timeout'],
    ['deadline', failure('deadline'), 504, 'deadline_exceeded'],
    ['protocol', failure('protocol', { body: 'secret' }), 502, 'upstream_protocol'],
    ['empty', failure('empty'), 502, 'upstream_empty'],
    ['crash', failure('crash', { cause: new Error('secret') }), 502, 'upstream_failed'],
    ['exit', failure('exit', { stderr: 'secret', exitCode: 1 }), 502, 'upstream_failed'],
    ['429', failure('http', { status: 429, retryAfterMs: 1500 }), 429, 'upstream_rate_limit', '2'],
    ['429 without wait', failure('http', { status: 429 }), 429, 'upstream_rate_limit'],
    ['500', failure('http', { status: 500, body: provider('secret') }), 500, 'upstream_error'],
    ['503', failure('http', { status: 503, retryAfterMs: 60_000 }), 503, 'upstream_error', '60'],
    ['529', failure('http', { status: 529 }), 529, 'upstream_error'],
    ['401', failure('http', { status: 401, body: provider('wrong key secret') }), 502, 'upstream_auth'],
    ['403', failure('http', { status: 403, body: provider('secret') }), 502, 'upstream_auth'],
    ['408', failure('http', { status: 408 }), 504, 'upstream_timeout'],
    ['400', failure('http', { status: 400, body: provider('too many tokens') }), 400, 'upstream_refused'],
    [
      'a name that agents act on',
      failure('http', { status: 400, body: '{"error":{"message":"too long","code":"context_length_exceeded"}}' }),
      400,
      'context_length_exceeded',
    ],
    ['a quota', failure('http', { status: 429, body: '{"error":{"code":"insufficient_quota"}}' }), 429, 'insufficient_quota'],
    ['a code that is no name', failure('http', { status: 400, body: '{"error":{"code":"<b>secret"}}' }), 400, 'upstream_refused'],
    ['a code that may be a key', failure('http', { status: 400, body: '{"error":{"code":"sk-secret0123"}}' }), 400, 'upstream_refused'],
    ['the code of a verdict', failure('http', { status: 400, body: '{"error":{"code":"UNCHECKED"}}' }), 400, 'upstream_refused'],
    ['a code that is a number', failure('http', { status: 400, body: '{"error":{"code":400}}' }), 400, 'upstream_refused'],
    ['404', failure('http', { status: 404, body: '<html>secret</html>' }), 404, 'upstream_refused'],
    ['413', failure('http', { status: 413 }), 413, 'upstream_refused'],
    ['422', failure('http', { status: 422, body: '{"detail":"no"}' }), 422, 'upstream_refused'],
    ['402', failure('http', { status: 402 }), 502, 'upstream_error'],
    ['409', failure('http', { status: 409 }), 409, 'upstream_refused'],
    ['an error in a stream', failure('protocol', { body: '{"error":{"code":"cyber_policy"}}' }), 502, 'cyber_policy'],
    ['302', failure('http', { status: 302 }), 502, 'upstream_error'],
    ['no status', failure('http'), 502, 'upstream_error'],
    ['nonsense', failure('http', { status: 999 }), 502, 'upstream_error'],
  ]
  it.each(['contract_violation', 'contract_unchecked'])('a provider cannot claim a %s of the gateway', async (verdict) => {
    const { body } = await ask(
      '/openai',
      failure('http', { status: 422, body: JSON.stringify({ error: { type: verdict, code: verdict, param: verdict } }) }),
    )
    expect(body).not.toContain(verdict)
  })
  it('a connection that broke midway is not one that could not be made', async () => {
    const messageOf = async (details: object) => JSON.parse((await ask('/openai', failure('connection', details))).body).error.message
    expect(await messageOf({})).toBe('The upstream cannot be reached.')
    expect(await messageOf({ isMidway: true })).toBe('The connection to the upstream broke before the answer was complete.')
  })
  it.each(cases)('%s', async (_name, error, status, code, retryAfter) => {
    const answer = await ask('/openai', error)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('retry-after')).toBe(retryAfter)
    expect(answer.headers.get('x-should-retry')).toBe(status === 422 ? 'false' : undefined)
    expect(answer.headers.get('x-request-id')).toBe('mine')
    expect(JSON.parse(answer.body)).toEqual({ error: { message: expect.any(String), type: expect.any(String), param: null, code } })
    expect(answer.body).not.toMatch(/secret|10\.0\.0\.1/)
    expect(front.lines).toMatchObject([{ requestId: 'mine' }])
  })

  it.each([
    ["This model's maximum context length is 8192 tokens.", "This model's maximum context length is 8192 tokens."],
    ['see https://10.0.0.1/x?key=1 now', 'see […] now'],
    ['key sk-abc123 is bad', 'key […] is bad'],
    ['at /srv/app/x.js and "/etc/x/y"', 'at […] and […]'],
    ['Bearer abcdefabcdef1234567890abcdef', 'Bearer […]'],
    ['two\r\nlines\u0000\u2028here\u202e', 'two lines here'],
    ['', 'The upstream refused the request with status 400.'],
    ['see https://platform.openai.com/docs/models.', 'see https://platform.openai.com/docs/models.'],
    ['see https://llm.svc.internal/x and https://api.example.com/x?key=1', 'see […] and […]'],
    ['The model `claude-3-5-sonnet-20241022` is gone', 'The model `claude-3-5-sonnet-20241022` is gone'],
    ['No output for call_a8B7c6D5e4F3g2H1i0J9k8L7', 'No output for call_a8B7c6D5e4F3g2H1i0J9k8L7'],
    ['organization org-abc on 550e8400-e29b-41d4-a716-446655440000', 'organization […] on […]'],
  ])('what it said about a bad request is passed on as one harmless line: %j', (said, message) => {
    const sent = describeError(failure('http', { status: 400, body: provider(said) }), 'id')
    expect(sent?.error.message).toBe(message)
  })

  it.each([
    [
      'Mistral',
      { object: 'error', message: { detail: [{ loc: ['body', 'seed'], msg: 'Extra inputs are not permitted' }] } },
      'seed: Extra inputs are not permitted',
      null,
    ],
    [
      'a server on FastAPI',
      { detail: [{ loc: ['body', 'n'], msg: 'too large' }, { msg: 'no model' }, 'x', null] },
      'n: too large; no model',
      null,
    ],
    [
      'Google',
      [{ error: { code: 400, message: 'Unknown name "seed".', status: 'INVALID_ARGUMENT', type: 'bad', param: 'seed' } }],
      'Unknown name "seed".',
      'seed',
    ],
  ])('%s is understood', (_name, body, message, param) => {
    expect(describeError(failure('http', { status: 422, body: JSON.stringify(body) }), 'id')?.error).toMatchObject({ message, param })
  })

  it('what it said is bounded', () => {
    const sent = describeError(failure('http', { status: 400, body: provider('x '.repeat(100_000)) }), 'id')
    expect(sent?.error.message.length).toBeLessThan(2100)
  })

  it('of which nobody is left to hear, nothing is sent', async () => {
    expect(describeError(failure('aborted'), 'id')).toBeUndefined()
    thrown = failure('aborted')
    const client = new RawClient(front.port).send(rawRequest('GET', '/openai'))
    await client.end()
    expect(client.received.length).toBe(0)
  })
})

describe('shapes', () => {
  const error = new HttpError(422, 'It is "wrong".', {
    type: 'contract_violation',
    code: 'max_words',
    param: 'messages',
    headers: { 'x-stickler-status': 'unresolved\r\nset-cookie: a=b', 'x-model': 'größe 😀' },
    body: { validation: { ok: false } },
  })
  const validation = { ok: false }
  const bodies = {
    openai: { error: { message: 'It is "wrong".', type: 'contract_violation', param: 'messages', code: 'max_words' }, validation },
    anthropic: {
      type: 'error',
      error: { type: 'contract_violation', message: 'It is "wrong".', param: 'messages', code: 'max_words' },
      validation,
    },
    ask: { ok: false, error: 'It is "wrong".', validation },
    default: { error: { message: 'It is "wrong".', type: 'contract_violation', param: 'messages', code: 'max_words' }, validation },
  }
  it.each(Object.entries(bodies))('%s', async (shape, body) => {
    const answer = await ask(`/${shape}`, error)
    expect(answer.status).toBe(422)
    expect(JSON.parse(answer.body)).toEqual(body)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('x-should-retry')).toBe('false')
    expect(answer.headers.get('x-stickler-status')).toBe('unresolved??set-cookie: a=b')
    expect(answer.headers.get('x-model')).toBe('gr??e ?')
    expect(answer.headers.has('set-cookie')).toBe(false)
  })

  it('plain', async () => {
    const answer = await ask('/plain', error)
    expect([answer.headers.get('content-type'), answer.body]).toEqual(['text/plain; charset=utf-8', 'It is "wrong".\n'])
  })
})

describe('what nobody expected', () => {
  class Strange extends Error {
    override get message(): string {
      throw new Error('even the message throws')
    }
  }
  const cases: [name: string, thrown: unknown][] = [
    ['an error', new Error('ENOENT: /srv/secret/stickler/node_modules/undici/index.js')],
    ['an error with causes', new Error('a', { cause: new TypeError('secret', { cause: { secret: 1 } }) })],
    ['a string', 'secret'],
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['an object', { status: 200, message: 'secret', details: {} }],
    ['an error that throws', new Strange()],
    ['an abort without abort', new DOMException('secret', 'AbortError')],
    ['an impossible header', new HttpError(400, 'x', { headers: { 'bad name': 'x' } })],
  ]
  for (const sync of [false, true]) {
    it.each(cases)(`%s (thrown ${sync ? 'at once' : 'later'})`, async (name, error) => {
      synchronous = sync
      thrown = error
      front.lines.length = 0
      const answers = await sendRaw(front.port, rawRequest('GET', '/openai', ['x-request-id: mine', 'connection: close']))
      synchronous = false
      expect(JSON.stringify(answers)).not.toMatch(/secret|node_modules|undici|stickler|\.js|at /)
      if (name === 'an impossible header') expect(answers).toEqual([])
      else {
        expect(answers.map(({ status, body }) => [status, JSON.parse(body)])).toEqual([
          [
            500,
            {
              error: {
                message: 'Internal error in the gateway; the request id is mine.',
                type: 'api_error',
                param: null,
                code: 'internal_error',
              },
            },
          ],
        ])
      }
      expect(front.lines).toMatchObject([{ level: 50, requestId: 'mine' }])
    })
  }

  it('a handler that forgets to answer', async () => {
    expect((await ask('/silent', undefined)).status).toBe(500)
    expect(front.lines).toMatchObject([{ level: 50, err: { message: '/silent ended without an answer' } }])
  })

  it('a handler that goes on after its answer', async () => {
    const answer = await ask('/twice', undefined)
    expect([answer.status, answer.body.length]).toEqual([200, 20_000_002])
    expect(front.lines).toMatchObject([{ err: { message: 'write after end' } }, { err: { message: 'after the end' } }])
    expect((await ask('/silent', undefined)).status).toBe(500)
  })

  it('a listener that throws', async () => {
    const other = await startFront(
      [{ method: 'GET', path: '/', access: 'read', handler: async (exchange) => sendJson(exchange, 200, {}) }],
      {
        answered: () => {
          throw new Error('listener')
        },
      },
    )
    expect((await sendRaw(other.port, rawRequest('GET', '/'), 1))[0]?.status).toBe(200)
    await until(() => other.lines.length === 1)
    expect(other.lines).toMatchObject([{ level: 50, err: { message: 'listener' } }])
    expect(other.server.inFlight).toBe(0)
    await other.close()
  })
})
