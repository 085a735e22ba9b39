import { refusalBody } from '@stickler/ask'
import { fromFunction, RunnerFailure } from '@stickler/core'
import { type ScriptedTurn, scripted } from '@stickler/core/testing'
import type { FailedProvider } from '@stickler/presets/internal'
import { describe, expect, test } from 'vitest'
import type { TestProvider } from './testing/questions.ts'
import { questions, request } from './testing/questions.ts'

/** What `fetch` throws when there is no connection. */
function network(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(`${code} 10.0.0.7 sk-secret`), { code }) })
}

describe('fail-over', () => {
  const two = (first: ScriptedTurn, second = 'b[^1]') => {
    const runners = [scripted([first, first]), scripted([second])]
    const providers: TestProvider[] = runners.map((runner, index) => ({ name: index === 0 ? 'openai' : 'groq', model: 'm', runner }))
    return { ...questions([], { providers }), runners }
  }

  test.each<[string, ScriptedTurn]>([
    ['nobody there', { failure: { kind: 'connection' } }],
    ['a server error', { failure: { kind: 'http', status: 503 } }],
    ['a timeout', { failure: { kind: 'timeout' } }],
  ])('goes on after %s, and audits both', async (_, failure) => {
    const { ask: put, audit } = two(failure)
    expect(await put(request)).toMatchObject({ ok: true, envelope: { provider: 'groq', answer: 'b[^1]' } })
    expect(audit.rows.map(({ provider, status }) => [provider, status])).toEqual([
      ['openai', 'failed'],
      ['groq', 'valid'],
    ])
  })

  test.each<[string, ScriptedTurn, number]>([
    ['a bad request', { failure: { kind: 'http', status: 400 } }, 400],
    ['too many requests', { failure: { kind: 'http', status: 429 } }, 429],
    ['a refused key', { failure: { kind: 'http', status: 401 } }, 502],
    ['a give-up', { text: 'a[^9]' }, 422],
    ['nonsense', { failure: { kind: 'protocol' } }, 502],
  ])('stops at %s', async (_, turn, status) => {
    const { ask: put, runners } = two(turn)
    expect(await put(request)).toMatchObject({ ok: false, status })
    expect(runners[1]?.calls).toHaveLength(0)
  })

  test.each<[string, string | undefined, string[]]>([
    ['one', 'c', ['c']],
    ['several, in their order', 'c,a', ['c', 'a']],
    ['white space, empty names and names again', ' c , ,a,c,', ['c', 'a']],
    ['by another name', 'b,groq', ['b', 'a', 'c']],
    ['a list without names', ' , ', ['a', 'b', 'c']],
    ['nobody', undefined, ['a', 'b', 'c']],
  ])('asks those that the question lists: %s', async (_, provider, expected) => {
    const asked: string[] = []
    const down = (alias: string, name: string): TestProvider => ({
      name,
      alias,
      model: 'm',
      runner: () => {
        asked.push(alias)
        return scripted([{ failure: { kind: 'http', status: 502 } }])
      },
    })
    const { ask: put } = questions([], { providers: [down('a', 'groq'), down('b', 'b'), down('c', 'groq')] })
    const reply = await put({ ...request, ...(provider === undefined ? {} : { provider }) })
    expect(asked).toEqual(expected)
    const detail = 'the provider answered with status 502'
    const listed = expected.map((alias) => (alias === 'b' ? 'b' : `${alias} (groq)`))
    expect(reply.ok ? {} : refusalBody(reply)).toEqual({
      ok: false,
      error: `all providers failed: ${listed.map((one) => `[${one}: ${detail}]`).join(' ')}`,
      attempts: listed.map((one) => ({ provider: one, code: 'status', detail })),
    })
    expect(reply.status).toBe(503)
  })

  test('lists each reason, says when to ask again, and tells nothing of what providers said', async () => {
    const failures: ScriptedTurn[] = [
      { failure: { kind: 'connection', message: 'ECONNREFUSED 10.0.0.7 sk-secret' } },
      { failure: { kind: 'http', status: 503, message: 'sk-secret', retryAfterMs: 9000 } },
      { failure: { kind: 'timeout', message: 'sk-secret' } },
    ]
    const providers = failures.map((turn, index) => ({ name: `p${index}`, model: 'm', runner: scripted([turn]) }))
    const reply = await questions([], { providers }).ask(request)
    expect(reply).toMatchObject({
      status: 503,
      error:
        'all providers failed: [p0: the provider could not be reached] [p1: the provider answered with status 503] [p2: the provider did not answer in time]',
      retryAfterMs: 9000,
    })
    expect(JSON.stringify(reply.ok ? '' : refusalBody(reply))).not.toMatch(/sk-secret|10\.0/)
  })

  test.each<[string, unknown, string]>([
    ['an open circuit', new RunnerFailure('http', 'sk-secret', { status: 503, code: 'circuit_open' }), 'circuit_open'],
    ['busy processes', new RunnerFailure('http', 'sk-secret', { status: 503, code: 'busy' }), 'busy'],
    ['a refused connection', network('ECONNREFUSED'), 'connection_refused'],
    ['a name that is not known', network('ENOTFOUND'), 'dns'],
    ['a resolver that does not answer', network('EAI_AGAIN'), 'dns'],
    ['a broken connection', network('ECONNRESET'), 'connection_reset'],
    ['a bad certificate', network('CERT_HAS_EXPIRED'), 'tls'],
    ['another network fault', network('EHOSTUNREACH'), 'unreachable'],
    ['a code of somebody else', new RunnerFailure('connection', 'sk-secret', { code: 'sk-secret' }), 'unreachable'],
    ['no answer in time', network('ETIMEDOUT'), 'timeout'],
    ['a status', new RunnerFailure('http', 'sk-secret', { status: 503 }), 'status'],
  ])('says what happened: %s', async (_, thrown, code) => {
    const runner = fromFunction(() => Promise.reject(thrown))
    const reply = await questions([], { providers: [{ name: 'p', model: 'm', runner }] }).ask(request)
    const { attempts, error } = (reply.ok ? {} : refusalBody(reply)) as { attempts: FailedProvider[]; error: string }
    expect([reply.status, attempts]).toEqual([503, [{ provider: 'p', code, detail: expect.any(String) }]])
    expect(error).toBe(`all providers failed: [p: ${attempts[0]?.detail}]`)
    expect(error).not.toMatch(code === 'status' ? /sk-secret|10\.0/ : /sk-secret|10\.0|status 503/)
  })

  test.each([false, true])('keeps one number of judged answers over all providers; streamed: %s', async (streaming) => {
    const down: ScriptedTurn = { failure: { kind: 'http', status: 502 } }
    const wrong = (text: string): ScriptedTurn => ({ text })
    const play = async (first: ScriptedTurn[], second: ScriptedTurn[]) => {
      const runners = [scripted(first), scripted(second)]
      const providers = runners.map((runner, index) => ({ name: index === 0 ? 'openai' : 'groq', model: 'm', runner }))
      const asking = questions([], { providers })
      const { audit } = asking
      if (!streaming) return { runners, audit, reply: await asking.ask(request) }
      const stream = asking.stream(request)
      for await (const _ of stream);
      return { runners, audit, reply: await stream.reply }
    }
    const bad = await play([wrong('a[^8]'), down], [wrong('b[^9]'), wrong('c[^1]')])
    expect([bad.reply.status, bad.runners.map(({ calls }) => calls.length)]).toEqual([422, [2, 1]])
    expect(bad.audit.rows.map(({ provider, status, retry_count }) => [provider, status, retry_count])).toEqual([
      ['openai', 'failed', 1],
      ['groq', 'gave_up', 1],
    ])
    // The answer that is left is asked for as the retry was.
    expect(JSON.stringify(bad.runners[1]?.calls[0]?.prompt)).toBe(JSON.stringify(bad.runners[0]?.calls[1]?.prompt))
    expect(JSON.stringify(bad.runners[1]?.calls[0]?.prompt)).toContain('[out_of_range] marker [^8]')
    const good = await play([wrong('a[^8]'), down], [wrong('b[^1]')])
    expect(good.reply).toMatchObject({ ok: true, envelope: { provider: 'groq', answer: 'b[^1]', retry_count: 1 } })
    const fresh = await play([down, down], [wrong('b[^9]'), wrong('c[^1]')])
    expect(fresh.reply).toMatchObject({ ok: true, envelope: { answer: 'c[^1]', retry_count: 1 } })
  })

  test('a list with a name that nobody has is refused before anybody is asked', async () => {
    const { ask: put, runners, audit } = two({ text: 'a[^1]' })
    expect(await put({ ...request, provider: 'openai,grok' })).toMatchObject({
      status: 400,
      param: 'provider',
      error: /did you mean "groq"/,
    })
    expect(runners[0]?.calls).toHaveLength(0)
    expect(audit.rows).toMatchObject([{ status: 'refused' }])
  })

  test('keeps to the provider that is asked for', async () => {
    const { ask: put } = two({ failure: { kind: 'connection' } })
    expect(await put({ ...request, provider: 'groq' })).toMatchObject({ envelope: { provider: 'groq' } })
    expect(await put({ ...request, provider: 'openai' })).toMatchObject({ ok: false, status: 503, attempts: [{ provider: 'openai' }] })
    expect(await put({ ...request, provider: 'grok' })).toMatchObject({
      ok: false,
      status: 400,
      param: 'provider',
      error: /did you mean "groq"/,
    })
  })
})
