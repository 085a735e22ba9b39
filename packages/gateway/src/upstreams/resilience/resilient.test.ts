import { ConfigurationError, RunnerFailure } from '@stickler/core'
import type { ChoiceEvent } from '@stickler/core/internal/apis'
import { manualClock } from '@stickler/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Behaviour, closedPort, type ProgrammableUpstream, startProgrammableUpstream } from '../../testing/programmable-upstream.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { breakingOff, failing, hangUp, silence } from '../../testing/programmable-upstream-faults.ts'
import { asking, calling, readChoice, readFirst } from '../../testing/programmable-upstream-reading.ts'
import { resilient } from '../create-upstream.ts'
import { openaiUpstream } from '../kinds/openai-upstream.ts'
import type { Upstream } from '../upstream.ts'

/** One for each case: a request that is late on a busy machine would be counted, and answered, in the next. */
let server: ProgrammableUpstream
let patient: Upstream
beforeEach(async () => {
  server = await startProgrammableUpstream(answering('fine'))
  patient = retrying(30_000)
})
afterEach(async () => {
  await patient.close()
  await server.close()
})

function retrying(firstByteMs: number): Upstream {
  return resilient(openaiUpstream({ name: 'main', baseUrl: server.url, timeouts: { firstByteMs } }), { retry: { baseDelayMs: 1 } })
}

describe('over real connections', () => {
  it.each<[string, Behaviour[], number, string]>([
    ['500, 503, then an answer', [failing(500), failing(503)], 3, 'fine'],
    ['408', [failing(408)], 2, 'fine'],
    ['429 that says how long', [failing(429, { 'retry-after-ms': '5' })], 2, 'fine'],
    ['hung up', [hangUp], 2, 'fine'],
    ['too many', [failing(500), failing(500), failing(500)], 3, 'http'],
    ['429 for a day', [failing(429, { 'retry-after': '86400' })], 1, 'http'],
    ['400', [failing(400)], 1, 'http'],
    ['401', [failing(401)], 1, 'http'],
    ['404', [failing(404)], 1, 'http'],
    ['422', [failing(422)], 1, 'http'],
    ['a timeout', [silence], 1, 'timeout'],
    ['broken off after the first text', [breakingOff('a long text', 3)], 1, 'connection'],
  ])('%s', async (_, behaviours, calls, result) => {
    // Long enough for the request to arrive on a busy machine.
    const upstream = behaviours.includes(silence) ? retrying(1000) : patient
    server.enqueue(...behaviours)
    const { text, failure } = await readFirst(upstream.call(asking('hi', { stream: true }), calling()))
    expect(server.requests.length).toBe(calls)
    expect(failure?.kind ?? text).toBe(result)
    await upstream.close()
  })

  it('what was shown is never shown again', async () => {
    server.enqueue(breakingOff('one two three', 3))
    const { text, failure } = await readFirst(patient.call(asking('hi', { stream: true }), calling()))
    expect(failure).toMatchObject({ kind: 'connection' })
    expect('one two three'.startsWith(text)).toBe(true)
  })

  it('nor when only another choice was shown', async () => {
    server.enqueue(breakingOff('one two three', 3, { more: ['x'] }))
    const [first, second] = patient.call(asking('hi', { stream: true, n: 2 }), calling()).choices
    expect((await readChoice(first)).text).not.toBe('')
    expect((await readChoice(second)).failure).toMatchObject({ kind: 'connection' })
    expect(server.requests.length).toBe(1)
  })

  it('all choices move on together', async () => {
    server.enqueue(failing(503), answering('a', { more: ['b'] }))
    const call = patient.call(asking('hi', { stream: true, n: 2 }), calling())
    expect((await Promise.all(call.choices.map(readChoice))).map(({ text }) => text)).toEqual(['a', 'b'])
    expect(server.requests.length).toBe(2)
  })

  it('bodies that are passed on are repeated too', async () => {
    server.enqueue(failing(503))
    expect(await patient.pass?.('/embeddings', { model: 'm', input: 'x' }, calling())).toMatchObject({ status: 200 })
  })

  it('a closed port is tried as often as allowed', async () => {
    const upstream = resilient(openaiUpstream({ name: 'x', baseUrl: await closedPort() }), { retry: { baseDelayMs: 1 } })
    expect((await readFirst(upstream.call(asking('hi'), calling()))).failure).toMatchObject({ kind: 'connection' })
  })
})

/** An upstream that fails with each of these in turn, then answers. */
function failingWith(...failures: readonly RunnerFailure[]) {
  const left = [...failures]
  const calls: (number | undefined)[] = []
  async function* play(): AsyncGenerator<ChoiceEvent> {
    const failure = left.shift()
    if (failure !== undefined) throw failure
    yield { type: 'end', toolCalls: [], refused: false, message: {}, fields: {} }
  }
  const upstream: Upstream = {
    name: 'fake',
    call(_request, { timeLeftMs }) {
      calls.push(timeLeftMs)
      return { choices: [play()], head: () => ({ fields: {} }), upstream: () => 'fake' }
    },
    close: async () => {},
  }
  return { upstream, calls }
}

const busy = (retryAfterMs?: number) =>
  new RunnerFailure('http', 'busy', { status: 429, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) })

describe('waiting', () => {
  it.each<[string, number, RunnerFailure[], number[]]>([
    ['doubles, least', 0, [busy(), busy()], [50, 100]],
    ['doubles, most', 1, [busy(), busy()], [100, 200]],
    ['is as long as the provider asks', 0, [busy(700)], [700]],
    ['is at least our own', 1, [busy(5)], [100]],
  ])('%s', async (_, random, failures, waits) => {
    const clock = manualClock()
    const { upstream, calls } = failingWith(...failures)
    const reading = readFirst(
      resilient(upstream, { retry: { baseDelayMs: 100 } }, { clock, random: () => random }).call(asking('hi'), calling()),
    )
    for (const [index, wait] of waits.entries()) {
      await clock.advanceAsync(wait - 1)
      expect(calls.length).toBe(index + 1)
      await clock.advanceAsync(1)
      expect(calls.length).toBe(index + 2)
    }
    expect((await reading).end).toBeDefined()
    expect(clock.pending).toBe(0)
  })

  it('fits the deadline, or is not begun', async () => {
    const clock = manualClock()
    const ports = { clock, random: () => 0 }
    const { upstream, calls } = failingWith(busy(1000), busy(1000))
    const reading = readFirst(resilient(upstream, {}, ports).call(asking('hi'), calling({ timeLeftMs: 1500 })))
    await clock.advanceAsync(1000)
    expect((await reading).failure).toMatchObject({ details: { status: 429, retryAfterMs: 1000 } })
    expect(calls).toEqual([1500, 500])
    expect(clock.pending).toBe(0)
  })

  it('ends at once when the caller gives up', async () => {
    const clock = manualClock()
    const controller = new AbortController()
    const { upstream, calls } = failingWith(busy(), busy())
    const reading = readFirst(resilient(upstream, {}, { clock }).call(asking('hi'), calling({ signal: controller.signal })))
    await clock.advanceAsync(0)
    expect(clock.pending).toBe(1)
    controller.abort()
    expect((await reading).failure).toMatchObject({ kind: 'aborted' })
    expect(clock.pending).toBe(0)
    expect(calls.length).toBe(1)
  })

  it.each([-1, 1.5, 11, Number.NaN])('%d retries are wrong', (retries) => {
    expect(() => resilient(failingWith().upstream, { retry: { retries } })).toThrow(ConfigurationError)
  })
})
