import { RunnerFailure } from '@stickler/core'
import { manualClock } from '@stickler/core/testing'
import { createBreaker } from '@stickler/core/validators'
import { describe, expect, it } from 'vitest'
import { createUpstream } from '../../testing/create-upstream.ts'
import { startProgrammableUpstream } from '../../testing/programmable-upstream.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { breakingOff, endlessStream, failing, silence } from '../../testing/programmable-upstream-faults.ts'
import { asking, calling, readFirst } from '../../testing/programmable-upstream-reading.ts'
import { CircuitOpen, GuardedCall } from './guarded-call.ts'

type Watched = ReturnType<typeof createBreaker>

function admitted(breaker: Watched): GuardedCall {
  const guarded = new GuardedCall(undefined, { name: 'main', breaker })
  guarded.enter()
  return guarded
}

describe('a failure', () => {
  it.each([
    ['aborted', new RunnerFailure('aborted', '')],
    ['deadline', new RunnerFailure('deadline', '')],
    ['a bad request', new RunnerFailure('http', '', { status: 400 })],
    ['too many requests', new RunnerFailure('http', '', { status: 429 })],
    ['nonsense', new RunnerFailure('protocol', '')],
    ['a call that was held back', new CircuitOpen('other', 1)],
  ])('%s does not count', (_, failure) => {
    const breaker = createBreaker({ failures: 1 })
    admitted(breaker).failed(failure)
    expect(breaker.state).toBe('closed')
  })

  it.each([
    ['nobody there', new RunnerFailure('connection', '')],
    ['silence', new RunnerFailure('timeout', '')],
    ['an error of the server', new RunnerFailure('http', '', { status: 503 })],
  ])('%s counts, and the next call tells when to come back', (_, failure) => {
    const clock = manualClock()
    const breaker = createBreaker({ failures: 1, openMs: 1000 }, { clock })
    admitted(breaker).failed(failure)
    expect(breaker.state).toBe('open')
    clock.advance(400)
    expect(() => admitted(breaker)).toThrow(CircuitOpen)
    expect(() => admitted(breaker)).toThrow(
      expect.objectContaining({ kind: 'http', details: { status: 503, code: 'circuit_open', retryAfterMs: 600 } }),
    )
  })

  it('a request that is refused closes the circuit: the provider is there', () => {
    const clock = manualClock()
    const breaker = createBreaker({ failures: 1, openMs: 1000 }, { clock })
    admitted(breaker).failed(new RunnerFailure('connection', ''))
    clock.advance(1000)
    admitted(breaker).failed(new RunnerFailure('http', '', { status: 400 }))
    expect(breaker.state).toBe('closed')
  })
})

describe('before a real upstream', () => {
  it('keeps a storm from it, and lets one probe through', async () => {
    const server = await startProgrammableUpstream(failing(503))
    const clock = manualClock()
    // A clock that stands still: what waits is let go by hand.
    const upstream = await createUpstream(
      { kind: 'openai', name: 'main', baseUrl: server.url, retry: { retries: 0 }, breaker: { failures: 5, openMs: 1000 } },
      { clock },
    )
    const storm = (count: number) => Promise.all(Array.from({ length: count }, () => readFirst(upstream.call(asking('hi'), calling()))))
    await storm(20)
    const seen = server.requests.length
    expect(seen).toBeLessThanOrEqual(20)
    const refused = await storm(50)
    expect(server.requests.length).toBe(seen)
    expect(refused.every(({ failure }) => failure instanceof CircuitOpen)).toBe(true)
    clock.advance(1000)
    await storm(50)
    expect(server.requests.length).toBe(seen + 1)
    server.otherwise(answering('well again'))
    clock.advance(2000)
    expect(await readFirst(upstream.call(asking('hi'), calling()))).toMatchObject({ text: 'well again' })
    expect((await storm(10)).every(({ text }) => text === 'well again')).toBe(true)
    await upstream.close()
    await server.close()
  })

  it('is not retried while it is open, and streams that break count', async () => {
    const server = await startProgrammableUpstream(breakingOff('a long text', 3))
    const upstream = await createUpstream({
      kind: 'openai',
      name: 'main',
      baseUrl: server.url,
      retry: { baseDelayMs: 1 },
      breaker: { failures: 2 },
    })
    for (let count = 0; count < 2; count++) await readFirst(upstream.call(asking('hi', { stream: true }), calling()))
    expect((await readFirst(upstream.call(asking('hi', { stream: true }), calling()))).failure).toBeInstanceOf(CircuitOpen)
    await expect(upstream.pass?.('/embeddings', {}, calling())).rejects.toBeInstanceOf(CircuitOpen)
    expect(server.requests.length).toBe(2)
    await upstream.close()
    await server.close()
  })

  it('callers that go away do not count', async () => {
    const server = await startProgrammableUpstream(silence)
    const upstream = await createUpstream({ kind: 'openai', name: 'main', baseUrl: server.url, breaker: { failures: 1 } })
    const controller = new AbortController()
    const reading = readFirst(upstream.call(asking('hi'), calling({ signal: controller.signal })))
    // The next one must not get this request's behaviour, nor this one the next's.
    await expect.poll(() => server.requests.length, { timeout: 20_000 }).toBe(1)
    controller.abort()
    expect((await reading).failure).toMatchObject({ kind: 'aborted' })
    await server.requests[0]?.closed
    server.enqueue(endlessStream)
    for await (const _ of upstream.call(asking('hi', { stream: true }), calling()).choices[0] ?? []) break
    server.otherwise(answering('fine'))
    expect(await readFirst(upstream.call(asking('hi'), calling()))).toMatchObject({ text: 'fine' })
    await upstream.close()
    await server.close()
  })
})
