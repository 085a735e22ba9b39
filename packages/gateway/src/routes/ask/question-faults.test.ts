import { type ScriptedTurn, scripted } from '@stickler/core/testing'
import { describe, expect, test, vi } from 'vitest'
import { StoreUnavailable } from '../../records/store/store-unavailable.ts'
import { memoryLedger, questions, request, type TestQuestions, usage } from './testing/questions.ts'

describe('money', () => {
  const price = { promptPerMillion: 1000, completionPerMillion: 2000 }
  const priced = (turns: readonly (string | ScriptedTurn)[], limits: TestQuestions['limits'] = {}) => {
    const ledger = memoryLedger()
    const runner = scripted(turns)
    const provider = { name: 'openai', model: 'm', runner, price }
    return { ...questions([], { providers: [provider], ledger, limits: { dailyCostUsd: 1e6, ...limits } }), ledger, runner }
  }

  test('is reckoned by the price list when the provider does not tell', async () => {
    const { ask: put, ledger, audit } = priced([{ text: 'a[^1]', usage: { promptTokens: 1000, completionTokens: 100 } }])
    expect(await put(request)).toMatchObject({ envelope: { cost_usd: 1.2, prompt_tokens: 1000, completion_tokens: 100 } })
    expect(ledger.spent()).toBe(1.2)
    expect(audit.rows).toMatchObject([{ cost_usd: 1.2 }])
  })

  test('is counted for calls that were stopped, with an estimate', async () => {
    const { stream, ledger } = priced([
      { text: `x[^9] ${'more '.repeat(99)}`, chunkSize: 50 },
      { text: 'y[^1]', usage: { promptTokens: 10, completionTokens: 2 } },
    ])
    const pieces = stream(request)
    for await (const _piece of pieces);
    const reply = await pieces.reply
    const { prompt_tokens = 0, cost_usd = 0 } = reply.ok ? reply.envelope : {}
    expect(prompt_tokens).toBeGreaterThan(150)
    await vi.waitFor(async () => expect(ledger.spent()).toBeCloseTo(cost_usd ?? 0, 9))
  })

  test('is counted for what a limit refused', async () => {
    const { ask: put, ledger, audit } = priced([{ text: 'a[^1]', usage: { promptTokens: 10, completionTokens: 2000 } }])
    expect(await put(request)).toMatchObject({ status: 413, limit: 'max_completion_tokens' })
    expect(audit.rows).toMatchObject([{ completion_tokens: 2000, cost_usd: 4.01 }])
    expect(ledger.spent()).toBe(4.01)
  })

  test.each([400, 401, 403, 404, 429, 500, 503])('is not counted for a call that a provider refused with %i', async (status) => {
    const { ask: put, ledger, audit } = priced([{ failure: { kind: 'http', status } }])
    expect(await put(request)).toMatchObject({ ok: false })
    expect(ledger.spent()).toBe(0)
    expect(audit.rows).toMatchObject([{ status: 'failed', cost_usd: 0, prompt_tokens: 0 }])
  })

  test('is not counted where nobody answers, but where an answer began', async () => {
    const spent = async (turn: ScriptedTurn): Promise<number> => {
      const { ask: put, ledger } = priced([turn])
      await put(request)
      return ledger.spent()
    }
    expect(await spent({ failure: { kind: 'connection' } })).toBe(0)
    expect(await spent({ text: 'Some words', failAfterText: { kind: 'connection' } })).toBeGreaterThan(0)
  })

  test('a refused retry costs what the first call cost, and no more', async () => {
    const { ask: put, ledger } = priced([
      { text: 'a[^9]', usage: { promptTokens: 1000, completionTokens: 100 } },
      { failure: { kind: 'http', status: 429 } },
    ])
    expect(await put(request)).toMatchObject({ status: 429 })
    expect(ledger.spent()).toBe(1.2)
  })

  test('cannot be spent twice by questions at the same time', async () => {
    const turn = { text: 'a[^1]', usage: { promptTokens: 100, completionTokens: 500 } }
    const { ask: put, ledger } = priced(
      Array.from({ length: 10 }, () => turn),
      { dailyCostUsd: 2.5 },
    )
    const replies = await Promise.all(Array.from({ length: 10 }, () => put(request)))
    expect(replies.some(({ ok }) => ok)).toBe(true)
    // Only the last one that was let in may go over the cap, because nobody knew what it would cost.
    expect(ledger.spent()).toBeLessThanOrEqual(2.5 + 1.1)
  })
})

describe('what goes wrong around a question', () => {
  const failing = () => Promise.reject(new Error('down'))

  test.each<[string, Partial<TestQuestions>, Record<string, unknown>, Record<string, unknown>]>([
    ['an unknown provider', {}, { provider: 'zzz' }, { status: 400, param: 'provider' }],
    ['an empty question', {}, { question: ' ' }, { status: 400, param: 'question' }],
    ['a question that is none', {}, { question: 5 }, { status: 400, param: 'question' }],
    ['sources that are none', {}, { sources: undefined }, { status: 400, param: 'sources' }],
    ['a version that is none', {}, { sources: [{ urn: 'u', payload: 'p', version: -1n }] }, { status: 400, param: 'sources[0]' }],
    ['a payload that is none', {}, { sources: [{ urn: 'u', payload: {} }] }, { status: 400, param: 'sources[0]' }],
    [
      'a runner that throws',
      { providers: [{ name: 'openai', model: 'm', runner: scripted([{ throw: new Error('Bearer sk-secret') }]) }] },
      {},
      { status: 502 },
    ],
  ])('%s is a reply, and audited without secrets', async (_, settings, more, expected) => {
    const { ask: put, audit } = questions([], settings)
    expect(await put({ ...request, ...more } as typeof request)).toMatchObject({ ok: false, ...expected })
    expect(audit.rows).toHaveLength(1)
    expect(JSON.stringify(audit.rows)).not.toContain('sk-secret')
  })

  test('a cache that fails, or says null, costs nothing but the cache', async () => {
    const caching = { enabled: true, defaultTtlSeconds: 9 }
    const answers = { get: async () => null as unknown as undefined, set: failing }
    expect(await questions(['a[^1]'], { caching, answers }).ask(request)).toMatchObject({ ok: true })
    expect(await questions(['a[^1]'], { caching, answers: { get: failing, set: failing } }).ask(request)).toMatchObject({ ok: true })
  })

  test.each<[string, unknown, string]>([
    ['whatever it throws', new Error('postgres://u:secret@h'), 'the spending could not be read or saved'],
    ['what it may say', new StoreUnavailable('database', 'x', undefined, 'X'), 'The store (X) does not answer; try again in a moment.'],
  ])('a ledger that fails means no answer, and no other provider: %s', async (_, thrown, error) => {
    const fails = () => Promise.reject(thrown)
    for (const broken of [{ hold: fails }, { settle: fails }]) {
      const second = scripted(['b[^1]'])
      const runner = scripted([{ text: 'a[^1]', usage }])
      const providers = [runner, second].map((one, index) => ({ name: `p${index}`, model: 'm', runner: one }))
      const ledger = { ...memoryLedger(), ...broken }
      const { ask: put, audit } = questions([], { providers, ledger, limits: { dailyCostUsd: 1 } })
      const reply = await put(request)
      expect(reply).toMatchObject({ ok: false, status: 503, error, provider: 'p0' })
      expect(second.calls).toHaveLength(0)
      expect(audit.rows).toMatchObject([{ status: 'failed', failure: { kind: 'unavailable', detail: error } }])
      expect(JSON.stringify([audit.rows, reply])).not.toContain('secret')
    }
  })

  test('an audit that cannot be written means no answer, in a stream too', async () => {
    const settings = { audit: failing }
    expect(await questions(['a[^1]'], settings).ask(request)).toMatchObject({ ok: false, status: 503 })
    const frames: string[] = []
    for await (const frame of questions(['a[^1]'], settings).frames(request)) frames.push(frame)
    expect(frames.map((frame) => frame.split('\n')[0])).toEqual(['event: sources', 'event: error'])
  })

  test('a stream that is left after its last piece has been audited as what it was', async () => {
    for (const turns of [['a[^1]'], [{ text: 'a[^1]', usage }]]) {
      const { stream, audit } = questions(turns, { caching: { enabled: true, defaultTtlSeconds: 9 } })
      for (let time = 0; time < 2; time++) for await (const _piece of stream(request)) break
      expect(audit.rows.map(({ status }) => status)).toEqual(['valid', 'cached'])
    }
  })

  test('a provider without streams is asked for the whole', async () => {
    const runner = scripted(['a[^1]'])
    const { frames } = questions([], { providers: [{ name: 'huggingface', model: 'm', runner }] })
    const all: string[] = []
    for await (const frame of frames(request)) all.push(frame)
    expect(all[1]).toContain('a[^1]')
    expect(runner.calls[0]?.stream).toBe(false)
  })
})
