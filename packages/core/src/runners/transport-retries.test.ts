import { describe, expect, it } from 'vitest'
import type { CallOptions, ModelEvent } from '../engine/runner.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { type ScriptedFailure, type ScriptedTurn, scripted } from './scripted.ts'
import { type TransportRetrySettings, withTransportRetries } from './transport-retries.ts'

const call = (more: Partial<CallOptions> = {}): CallOptions => ({ stream: true, signal: new AbortController().signal, ...more })

async function text(events: AsyncIterable<ModelEvent>): Promise<string> {
  let all = ''
  for await (const event of events) all += event.type === 'text' ? event.text : ''
  return all
}

function setUp(turns: readonly (string | ScriptedTurn)[], settings: TransportRetrySettings = {}) {
  const clock = manualClock()
  const inner = scripted(turns, { clock })
  return { clock, inner, runner: withTransportRetries(inner, { clock, random: () => 0, ...settings }) }
}

const fails = (kind: ScriptedFailure['kind'], status?: number, retryAfterMs?: number): ScriptedTurn => ({
  failure: { kind, ...(status === undefined ? {} : { status }), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
})

describe('withTransportRetries', () => {
  it.each([
    ['connection', fails('connection')],
    ['timeout', fails('timeout')],
    ['408', fails('http', 408)],
    ['429', fails('http', 429)],
    ['500', fails('http', 500)],
    ['503', fails('http', 503)],
    ['599', fails('http', 599)],
  ])('repeats on %s', async (_, turn) => {
    const { runner, inner, clock } = setUp([turn, turn, 'ok'])
    const got = text(runner.run('s', 'hi', call()))
    await clock.advanceAsync(10_000)
    expect(await got).toBe('ok')
    expect(inner.calls).toHaveLength(3)
    expect(inner.calls[2]).toMatchObject({ kind: 'run', session: 's', prompt: 'hi' })
    expect(clock.pending).toBe(0)
  })
  it.each([
    ...[0, 302, 400, 401, 403, 404, 409, 422, 600].map((status) => [String(status), fails('http', status)] as const),
    ...(['protocol', 'exit', 'empty', 'crash', 'aborted', 'deadline'] as const).map((kind) => [kind, fails(kind)] as const),
    ['anything thrown', { throw: new TypeError('x') }] as const,
    ['a connection lost after text', { text: 'a', failAfterText: { kind: 'connection' } }] as const,
    ['a timeout after text', { text: 'a', failAfterText: { kind: 'timeout' } }] as const,
  ])('never repeats on %s', async (_, turn) => {
    const { runner, inner, clock } = setUp([turn, 'ok'])
    await expect(text(runner.run(undefined, 'hi', call()))).rejects.toMatchObject({ name: 'RunnerFailure' })
    expect(inner.calls).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })
  it('gives up after the last retry, with the last failure', async () => {
    const { runner, inner, clock } = setUp([fails('connection'), fails('http', 500), fails('http', 503)])
    const got = expect(text(runner.run(undefined, 'hi', call()))).rejects.toMatchObject({ details: { status: 503 } })
    await clock.advanceAsync(10_000)
    await got
    expect(inner.calls).toHaveLength(3)
  })
  it('repeats nothing with no retries', async () => {
    const { runner, inner } = setUp([fails('connection'), 'ok'], { retries: 0 })
    await expect(text(runner.run(undefined, 'hi', call()))).rejects.toMatchObject({ kind: 'connection' })
    expect(inner.calls).toHaveLength(1)
  })
  it('continues as it runs', async () => {
    const { runner, inner, clock } = setUp([fails('connection'), 'ok'])
    const got = text(runner.continue('s', 'fix', { ...call(), original: 'hi', rejected: 'bad' }))
    await clock.advanceAsync(1000)
    expect(await got).toBe('ok')
    expect(inner.calls[1]).toMatchObject({ kind: 'continue', session: 's', feedback: 'fix', rejected: 'bad' })
  })
  it.each([
    ['half, then doubled', 0, [50, 100, 150, 150]],
    ['whole, then doubled', 1, [100, 200, 300, 300]],
  ])('waits by chance: %s', async (_, chance, waits) => {
    const { runner, inner, clock } = setUp([1, 2, 3, 4].map(() => fails('connection')).concat({ text: 'ok' }), {
      retries: 4,
      random: () => chance,
      baseDelayMs: 100,
      maxDelayMs: 300,
    })
    const got = text(runner.run(undefined, 'hi', call()))
    for (const [index, wait] of waits.entries()) {
      await clock.advanceAsync(wait - 1)
      expect(inner.calls).toHaveLength(index + 1)
      await clock.advanceAsync(1)
    }
    expect(await got).toBe('ok')
  })
  it('waits as long as the provider asks, when there is time', async () => {
    const { runner, inner, clock } = setUp([fails('http', 429, 20_000), 'ok'])
    const got = text(runner.run(undefined, 'hi', call({ timeLeftMs: 30_000 })))
    await clock.advanceAsync(19_999)
    expect(inner.calls).toHaveLength(1)
    await clock.advanceAsync(1)
    expect(await got).toBe('ok')
    expect(inner.calls.map(({ timeLeftMs }) => timeLeftMs)).toEqual([30_000, 10_000])
  })
  it.each([
    ['longer than the deadline', 86_400_000, 30_000],
    ['as long as the deadline', 30_000, 30_000],
    ['no time left at all', undefined, 0],
    ['a day, without a deadline', 86_400_000, undefined],
  ])('fails at once: %s', async (_, retryAfterMs, timeLeftMs) => {
    const { runner, inner, clock } = setUp([fails('http', 429, retryAfterMs), 'ok'])
    await expect(text(runner.run(undefined, 'hi', call(timeLeftMs === undefined ? {} : { timeLeftMs })))).rejects.toMatchObject({
      kind: 'http',
      details: { status: 429, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
    })
    expect([inner.calls.length, clock.pending]).toEqual([1, 0])
  })
  it('stops at once when the caller gives up while it waits', async () => {
    const caller = new AbortController()
    const { runner, inner, clock } = setUp([fails('connection'), 'ok'])
    const got = expect(text(runner.run(undefined, 'hi', call({ signal: caller.signal })))).rejects.toMatchObject({ kind: 'aborted' })
    await clock.advanceAsync(1)
    expect(clock.pending).toBe(1)
    caller.abort()
    await got
    expect([inner.calls.length, clock.pending]).toEqual([1, 0])
  })
  it('passes on that nobody listens any more', async () => {
    const { runner, inner } = setUp([{ chunks: ['a', 'b'] }])
    for await (const _ of runner.run(undefined, 'hi', call())) break
    expect(inner.calls[0]).toMatchObject({ aborted: true, taken: 1 })
  })
  it.each([-1, 0.5, Number.NaN])('refuses %s retries', (retries) => {
    expect(() => withTransportRetries(scripted([]), { retries })).toThrow('retries')
  })
})
