import { RunnerFailure } from '@stickler/core'
import { manualClock } from '@stickler/core/testing'
import { describe, expect, it } from 'vitest'
import { startProgrammableUpstream } from '../testing/programmable-upstream.ts'
import { answering } from '../testing/programmable-upstream-answers.ts'
import { breakingOff, endlessStream, failing, silence } from '../testing/programmable-upstream-faults.ts'
import { asking, calling, readFirst } from '../testing/programmable-upstream-reading.ts'
import { Breaker, type BreakerState } from './breaker.ts'
import { createUpstream } from './create-upstream.ts'
import { CircuitOpen } from './passing-failure.ts'

const down = new RunnerFailure('connection', 'down')

function breaker(failures = 3) {
  const clock = manualClock()
  const changes: BreakerState[] = []
  const own = new Breaker('main', { failures, openMs: 1000, maxOpenMs: 3000 }, { clock, onChange: (state) => changes.push(state) })
  const fail = (count: number) => {
    for (let index = 0; index < count; index++) own.enter().failed(down)
  }
  return { clock, changes, own, fail }
}

describe('the states', () => {
  it('opens at exactly so many failures in a row, without timers', () => {
    const { own, fail, clock } = breaker(3)
    fail(2)
    own.enter().succeeded()
    fail(2)
    expect(own.state).toBe('closed')
    fail(1)
    expect(own.state).toBe('open')
    expect(() => own.enter()).toThrow(CircuitOpen)
    expect(clock.pending).toBe(0)
  })

  it('tells how long it will be', () => {
    const { own, fail, clock } = breaker(1)
    fail(1)
    clock.advance(400)
    expect(() => own.enter()).toThrow(expect.objectContaining({ kind: 'http', details: { status: 503, retryAfterMs: 600 } }))
  })

  it('lets exactly one probe through, whose success closes', () => {
    const { own, fail, clock, changes } = breaker(1)
    fail(1)
    clock.advance(1000)
    expect(own.state).toBe('half-open')
    const probe = own.enter()
    for (let count = 0; count < 100; count++) expect(() => own.enter()).toThrow(CircuitOpen)
    probe.succeeded()
    own.enter().succeeded()
    expect(changes).toEqual(['open', 'half-open', 'closed'])
  })

  it('opens for longer when the probe fails, up to a limit', () => {
    const { own, fail, clock } = breaker(1)
    fail(1)
    for (const ms of [1000, 2000, 3000, 3000]) {
      clock.advance(ms - 1)
      expect(() => own.enter()).toThrow(CircuitOpen)
      clock.advance(1)
      own.enter().failed(down)
    }
    clock.advance(3000)
    own.enter().succeeded()
    fail(1)
    clock.advance(1000)
    expect(own.state).toBe('half-open')
  })

  it('a probe that begins to answer closes; when it breaks after that, it opens again', () => {
    const { own, fail, clock } = breaker(3)
    fail(3)
    clock.advance(1000)
    const probe = own.enter()
    probe.begun()
    own.enter()
    probe.failed(down)
    expect(own.state).toBe('open')
  })

  it('a probe whose caller gives up leaves the place to another', () => {
    const { own, fail, clock } = breaker(1)
    fail(1)
    clock.advance(1000)
    own.enter().abandoned()
    own.enter().succeeded()
    expect(own.state).toBe('closed')
  })

  it('failures of calls from before change nothing any more', () => {
    const { own, clock } = breaker(2)
    const calls = Array.from({ length: 6 }, () => own.enter())
    for (const call of calls) call.failed(down)
    clock.advance(1000)
    expect(own.state).toBe('half-open')
    const late = own.enter()
    late.succeeded()
    calls[0]?.failed(down)
    expect(own.state).toBe('closed')
  })

  it.each([
    ['aborted', new RunnerFailure('aborted', '')],
    ['deadline', new RunnerFailure('deadline', '')],
    ['a bad request', new RunnerFailure('http', '', { status: 400 })],
    ['too many requests', new RunnerFailure('http', '', { status: 429 })],
    ['nonsense', new RunnerFailure('protocol', '')],
  ])('%s does not count', (_, failure) => {
    const { own } = breaker(1)
    own.enter().failed(failure)
    expect(own.state).toBe('closed')
  })
})

describe('before a real upstream', () => {
  it('keeps a storm from it, and lets one probe through', async () => {
    const server = await startProgrammableUpstream(failing(503))
    const clock = manualClock()
    // A clock that stands still: what waits is let go by hand.
    const upstream = createUpstream(
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
    const upstream = createUpstream({
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
    const upstream = createUpstream({ kind: 'openai', name: 'main', baseUrl: server.url, breaker: { failures: 1 } })
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
