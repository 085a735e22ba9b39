import { type ScriptedTurn, scripted } from '@stickler/core/testing'
import { describe, expect, test } from 'vitest'
import { openAsk } from './ask.ts'
import { memoryAudit } from './audit/memory-audit.ts'
import type { AskProvider } from './ports.ts'
import { refusalBody } from './reply/reply.ts'
import { request } from './testing/asking.ts'

describe('fail-over', () => {
  const two = (first: ScriptedTurn, second = 'b[^1]') => {
    const runners = [scripted([first, first]), scripted([second])]
    const providers: AskProvider[] = runners.map((runner, index) => ({ name: index === 0 ? 'openai' : 'groq', model: 'm', runner }))
    const audit = memoryAudit()
    return { runners, audit, ...openAsk({ providers, audit }) }
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
    const down = (alias: string, name: string): AskProvider => ({
      name,
      alias,
      model: 'm',
      runner: () => {
        asked.push(alias)
        return scripted([{ failure: { kind: 'http', status: 502 } }])
      },
    })
    const { ask: put } = openAsk({ providers: [down('a', 'groq'), down('b', 'b'), down('c', 'groq')] })
    const reply = await put({ ...request, ...(provider === undefined ? {} : { provider }) })
    expect(asked).toEqual(expected)
    const detail = 'the provider answered with status 502'
    const listed = expected.map((alias) => (alias === 'b' ? 'b' : `${alias} (groq)`))
    expect(reply.ok ? {} : refusalBody(reply)).toEqual({
      ok: false,
      error: `all providers failed: ${listed.map((one) => `[${one}: ${detail}]`).join(' ')}`,
      attempts: listed.map((one) => ({ provider: one, detail })),
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
    const reply = await openAsk({ providers }).ask(request)
    expect(reply).toMatchObject({
      status: 503,
      error:
        'all providers failed: [p0: the provider failed] [p1: the provider answered with status 503] [p2: the provider did not answer in time]',
      retryAfterMs: 9000,
    })
    expect(JSON.stringify(reply.ok ? '' : refusalBody(reply))).not.toMatch(/sk-secret|10\.0/)
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
