import { type ScriptedTurn, scripted } from '@stickler/core/testing'
import { describe, expect, test, vi } from 'vitest'
import { openAsk } from './ask.ts'
import { memoryAudit } from './audit/memory-audit.ts'
import { PortUnavailable } from './ports.ts'
import type { AskSettings } from './settings.ts'
import { memoryLedger } from './spending/memory-ledger.ts'
import { request, service, usage } from './testing/asking.ts'

describe('money', () => {
  const price = { promptPerMillion: 1000, completionPerMillion: 2000 }
  const priced = (turns: readonly (string | ScriptedTurn)[], limits: AskSettings['limits'] = {}) => {
    const ledger = memoryLedger()
    const runner = scripted(turns)
    const audit = memoryAudit()
    const provider = { name: 'openai', model: 'm', runner, price }
    return { ledger, audit, runner, ...openAsk({ providers: [provider], ledger, audit, limits, today: () => 0 }) }
  }

  test('is reckoned by the price list when the provider does not tell', async () => {
    const { ask: put, ledger, audit } = priced([{ text: 'a[^1]', usage: { promptTokens: 1000, completionTokens: 100 } }])
    expect(await put(request)).toMatchObject({ envelope: { cost_usd: 1.2, prompt_tokens: 1000, completion_tokens: 100 } })
    expect(await ledger.read('', 0)).toMatchObject({ spentUsd: 1.2 })
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
    await vi.waitFor(async () => expect((await ledger.read('', 0))?.spentUsd).toBeCloseTo(cost_usd ?? 0, 9))
  })

  test('is counted for what a limit refused', async () => {
    const { ask: put, ledger, audit } = priced([{ text: 'a[^1]', usage: { promptTokens: 10, completionTokens: 2000 } }])
    expect(await put(request)).toMatchObject({ status: 413, limit: 'max_completion_tokens' })
    expect(audit.rows).toMatchObject([{ completion_tokens: 2000, cost_usd: 4.01 }])
    expect(await ledger.read('', 0)).toMatchObject({ spentUsd: 4.01 })
  })

  test.each([400, 401, 403, 404, 429, 500, 503])('is not counted for a call that a provider refused with %i', async (status) => {
    const { ask: put, ledger, audit } = priced([{ failure: { kind: 'http', status } }])
    expect(await put(request)).toMatchObject({ ok: false })
    expect((await ledger.read('', 0))?.spentUsd ?? 0).toBe(0)
    expect(audit.rows).toMatchObject([{ status: 'failed', cost_usd: 0, prompt_tokens: 0 }])
  })

  test('is not counted where nobody answers, but where an answer began, or never came in time', async () => {
    const spent = async (turn: ScriptedTurn): Promise<number> => {
      const { ask: put, ledger } = priced([turn])
      await put(request)
      return (await ledger.read('', 0))?.spentUsd ?? 0
    }
    expect(await spent({ failure: { kind: 'connection' } })).toBe(0)
    expect(await spent({ text: 'Some words', failAfterText: { kind: 'connection' } })).toBeGreaterThan(0)
    expect(await spent({ failure: { kind: 'timeout' } })).toBeGreaterThan(0)
  })

  test('a refused retry costs what the first call cost, and no more', async () => {
    const { ask: put, ledger } = priced([
      { text: 'a[^9]', usage: { promptTokens: 1000, completionTokens: 100 } },
      { failure: { kind: 'http', status: 429 } },
    ])
    expect(await put(request)).toMatchObject({ status: 429 })
    expect(await ledger.read('', 0)).toMatchObject({ spentUsd: 1.2 })
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
    expect((await ledger.read('', 0))?.spentUsd).toBeLessThanOrEqual(2.5 + 1.1)
  })
})

describe('the daily cap where only the provider knows what calls cost', () => {
  const turn = (cost?: number) => ({
    text: 'a[^1]',
    delayMs: 1,
    usage: { promptTokens: 10, completionTokens: 5, ...(cost === undefined ? {} : { cost }) },
  })
  const failing = { failure: { kind: 'connection' } } as const
  const asked = async (turns: readonly ScriptedTurn[], cap: number) => {
    const ledger = memoryLedger()
    const { ask: put } = service(turns, { ledger, limits: { dailyCostUsd: cap } })
    const replies = await Promise.all(turns.map(() => put(request)))
    return { ok: replies.filter((reply) => reply.ok).length, spent: (await ledger.read('', 0))?.spentUsd }
  }
  const times = (count: number, one: ScriptedTurn) => Array.from({ length: count }, () => one)

  test.each<[string, readonly ScriptedTurn[], number, number]>([
    ['a cap for three', times(20, turn(0.3)), 0.9, 3],
    ['a cap for less than one', times(20, turn(5)), 0.9, 1],
    ['a cap for all', times(20, turn(0.3)), 100, 20],
    ['a first call that fails', [failing, failing, ...times(18, turn(0.3))], 0.9, 3],
    ['a first call that costs less', [turn(0.2), ...times(19, turn(0.3))], 0.9, 4],
    ['no cost at all', times(20, turn()), 0.9, 20],
    ['costs that are none', times(20, turn(Number.NaN)), 0.9, 20],
  ])('%s', async (_, turns, cap, most) => {
    const { ok, spent = 0 } = await asked(turns, cap)
    expect(ok).toBeLessThanOrEqual(most)
    expect(ok).toBeGreaterThan(most === 20 ? 19 : 0)
    expect(spent).toBeLessThan(cap + Math.max(...turns.map((one) => (typeof one === 'object' && one.usage?.cost) || 0), 0.001))
  })
})

describe('what goes wrong around a question', () => {
  const failing = () => Promise.reject(new Error('down'))

  test.each<[string, Partial<AskSettings>, Record<string, unknown>, Record<string, unknown>]>([
    ['an unknown provider', {}, { provider: 'zzz' }, { status: 400, param: 'provider' }],
    ['no provider', { providers: [] }, {}, { status: 502 }],
    ['an empty question', {}, { question: ' ' }, { status: 400, param: 'question' }],
    ['a question that is none', {}, { question: 5 }, { status: 400, param: 'question' }],
    ['sources that are none', {}, { sources: undefined }, { status: 400, param: 'sources' }],
    ['a version that is none', {}, { sources: [{ urn: 'u', payload: 'p', version: -1n }] }, { status: 400, param: 'sources[0]' }],
    ['a payload that is none', {}, { sources: [{ urn: 'u', payload: {} }] }, { status: 400, param: 'sources[0]' }],
    [
      'a runner that cannot be made',
      {
        providers: [
          {
            name: 'openai',
            model: 'm',
            runner: () => {
              throw new Error('Bearer sk-secret')
            },
          },
        ],
      },
      {},
      { status: 502 },
    ],
    [
      'a runner that throws',
      { providers: [{ name: 'openai', model: 'm', runner: scripted([{ throw: new Error('Bearer sk-secret') }]) }] },
      {},
      { status: 502 },
    ],
    [
      'an answer of tool calls alone',
      { providers: [{ name: 'openai', model: 'm', runner: scripted([{ toolCalls: [{ name: 'f', arguments: '{}' }] }]) }] },
      {},
      { status: 502 },
    ],
  ])('%s is a reply, and audited without secrets', async (_, settings, more, expected) => {
    const { ask: put, audit } = service([], settings)
    expect(await put({ ...request, ...more } as typeof request)).toMatchObject({ ok: false, ...expected })
    expect(audit.rows).toHaveLength(1)
    expect(JSON.stringify(audit.rows)).not.toContain('sk-secret')
  })

  test('a cache that fails, or says null, costs nothing but the cache', async () => {
    const caching = { enabled: true, defaultTtlSeconds: 9 }
    const answers = { get: async () => null as unknown as undefined, set: failing }
    expect(await service(['a[^1]'], { caching, answers }).ask(request)).toMatchObject({ ok: true })
    expect(await service(['a[^1]'], { caching, answers: { get: failing, set: failing } }).ask(request)).toMatchObject({ ok: true })
  })

  test.each<[string, unknown, string]>([
    ['whatever it throws', new Error('postgres://u:secret@h'), 'the spending could not be read or saved'],
    ['what it may say', new PortUnavailable('The store (X) does not answer.'), 'The store (X) does not answer.'],
  ])('a ledger that fails means no answer, and no other provider: %s', async (_, thrown, error) => {
    const fails = () => Promise.reject(thrown)
    for (const ledger of [
      { read: fails, add: fails },
      { read: async () => undefined, add: fails },
    ]) {
      const second = scripted(['b[^1]'])
      const runner = scripted([{ text: 'a[^1]', usage }])
      const audit = memoryAudit()
      const providers = [runner, second].map((one, index) => ({ name: `p${index}`, model: 'm', runner: one }))
      const reply = await openAsk({ providers, audit, ledger }).ask(request)
      expect(reply).toMatchObject({ ok: false, status: 503, error, provider: 'p0' })
      expect(second.calls).toHaveLength(0)
      expect(audit.rows).toMatchObject([{ status: 'failed', failure: { kind: 'unavailable', detail: error } }])
      expect(JSON.stringify([audit.rows, reply])).not.toContain('secret')
    }
  })

  test('an audit that cannot be written means no answer, in a stream too', async () => {
    const settings = { audit: { write: failing } }
    expect(await service(['a[^1]'], settings).ask(request)).toMatchObject({ ok: false, status: 503 })
    const frames: string[] = []
    for await (const frame of service(['a[^1]'], settings).frames(request)) frames.push(frame)
    expect(frames.map((frame) => frame.split('\n')[0])).toEqual(['event: sources', 'event: error'])
  })

  test('a stream that is left after its last piece has been audited as what it was', async () => {
    for (const turns of [['a[^1]'], [{ text: 'a[^1]', usage }]]) {
      const { stream, audit } = service(turns, { caching: { enabled: true, defaultTtlSeconds: 9 } })
      for (let time = 0; time < 2; time++) for await (const _piece of stream(request)) break
      expect(audit.rows.map(({ status }) => status)).toEqual(['valid', 'cached'])
    }
  })

  test('a provider without streams is asked for the whole', async () => {
    const runner = scripted(['a[^1]'])
    const { frames } = openAsk({ providers: [{ name: 'huggingface', model: 'm', runner }] })
    const all: string[] = []
    for await (const frame of frames(request)) all.push(frame)
    expect(all[1]).toContain('a[^1]')
    expect(runner.calls[0]?.stream).toBe(false)
  })
})
