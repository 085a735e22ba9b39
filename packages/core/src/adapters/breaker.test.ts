import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../testing/manual-clock.ts'
import { type BreakerSettings, type BreakerState, createBreaker, type Passage } from './breaker.ts'

function breaker(failures = 3) {
  const clock = manualClock()
  const changes: BreakerState[] = []
  const own = createBreaker({ failures, openMs: 1000, maxOpenMs: 3000 }, { clock, onChange: (state) => changes.push(state) })
  const fail = (count: number) => {
    for (let index = 0; index < count; index++) own.enter()?.failed()
  }
  return { clock, changes, own, fail }
}

describe('the states', () => {
  it('opens at exactly so many failures in a row, without timers', () => {
    const { own, fail, clock } = breaker(3)
    fail(2)
    own.enter()?.succeeded()
    fail(2)
    expect(own.state).toBe('closed')
    fail(1)
    expect(own.state).toBe('open')
    expect(own.enter()).toBeUndefined()
    expect(clock.pending).toBe(0)
  })

  it('tells how long it will be', () => {
    const { own, fail, clock } = breaker(1)
    expect(own.retryAfterMs()).toBe(0)
    fail(1)
    clock.advance(400)
    expect(own.retryAfterMs()).toBe(600)
    clock.advance(600)
    expect(own.retryAfterMs()).toBe(1000)
  })

  it('lets exactly one probe through, whose success closes', () => {
    const { own, fail, clock, changes } = breaker(1)
    fail(1)
    clock.advance(1000)
    expect(own.state).toBe('half-open')
    const probe = own.enter()
    for (let count = 0; count < 100; count++) expect(own.enter()).toBeUndefined()
    probe?.succeeded()
    own.enter()?.succeeded()
    expect(changes).toEqual(['open', 'half-open', 'closed'])
  })

  it('opens for longer when the probe fails, up to a limit', () => {
    const { own, fail, clock } = breaker(1)
    fail(1)
    for (const ms of [1000, 2000, 3000, 3000]) {
      clock.advance(ms - 1)
      expect(own.enter()).toBeUndefined()
      clock.advance(1)
      own.enter()?.failed()
    }
    clock.advance(3000)
    own.enter()?.succeeded()
    fail(1)
    clock.advance(1000)
    expect(own.state).toBe('half-open')
  })

  it('a probe that begins to answer closes; when it breaks after that, it opens again', () => {
    const { own, fail, clock } = breaker(3)
    fail(3)
    clock.advance(1000)
    const probe = own.enter()
    probe?.begun()
    expect(own.enter()).toBeDefined()
    probe?.failed()
    expect(own.state).toBe('open')
  })

  it('a probe whose caller gives up leaves the place to another', () => {
    const { own, fail, clock } = breaker(1)
    fail(1)
    clock.advance(1000)
    own.enter()?.abandoned()
    own.enter()?.succeeded()
    expect(own.state).toBe('closed')
  })

  it('G06: failures of calls from before the last change change nothing any more', () => {
    const { own, clock } = breaker(2)
    const calls = Array.from({ length: 6 }, () => own.enter())
    for (const call of calls) call?.failed()
    clock.advance(1000)
    expect(own.state).toBe('half-open')
    own.enter()?.succeeded()
    calls[0]?.failed()
    expect(own.state).toBe('closed')
  })

  it.each([{ failures: 0 }, { openMs: -1 }, { maxOpenMs: Number.NaN }])('%o is rejected', (settings) => {
    expect(() => createBreaker(settings)).toThrow('must be a positive number')
  })
})

describe('callers', () => {
  it.each([1, 2, 3])('failures of one do not keep others away, those of several do: %i allowed', (failures) => {
    const { own, clock, changes } = breaker(failures)
    for (let count = 0; count < 20; count++) own.enter('alice')?.failed()
    expect([own.stateFor('alice'), own.stateFor('bob'), own.stateFor(), own.state]).toEqual(['open', 'closed', 'closed', 'open'])
    expect([own.enter('alice'), changes]).toEqual([undefined, ['open']])
    own.enter('bob')?.succeeded()
    expect(own.enter('alice')).toBeUndefined()
    const others = Array.from({ length: Math.max(2, failures) }, (_, index) => own.enter(`key ${index}`))
    for (const other of others) other?.failed()
    expect([own.stateFor('bob'), own.stateFor('new'), own.enter('new')]).toEqual(['open', 'open', undefined])
    clock.advance(1000)
    const probe = own.enter('new')
    expect([probe === undefined, own.enter('bob'), own.enter('alice')]).toEqual([false, undefined, undefined])
    probe?.succeeded()
    expect([own.stateFor('new'), own.stateFor('bob')]).toEqual(['closed', 'closed'])
    own.enter('alice')?.succeeded()
    expect(own.stateFor('alice')).toBe('closed')
  })

  it.each(['bob', undefined])('one that is kept away and does not return is not the state of the service that %s meets', (other) => {
    const clock = manualClock()
    const told: string[] = []
    const own = createBreaker(
      { failures: 3, openMs: 1000 },
      { clock, onChange: (state, scope) => told.push(`${scope ?? 'service'} ${state}`) },
    )
    const fail = () => {
      for (let count = 0; count < 3; count++) own.enter('alice')?.failed()
    }
    fail()
    // Nobody else has found out otherwise.
    expect([own.state, told.splice(0)]).toEqual(['open', ['service open']])
    expect([own.retryAfterMs('alice'), own.retryAfterMs(other), own.retryAfterMs()]).toEqual([1000, 0, 0])
    own.enter(other)?.succeeded()
    expect([own.state, own.stateFor('alice'), told.splice(0)]).toEqual(['closed', 'open', ['service closed']])
    clock.advance(1000)
    expect([own.state, own.stateFor('alice')]).toEqual(['closed', 'half-open'])
    own.enter('alice')?.succeeded()
    fail()
    expect([own.state, told.splice(0)]).toEqual(['closed', ['caller half-open', 'caller closed', 'caller open']])
    for (const name of ['carol', 'dave', 'erin']) own.enter(name)?.failed()
    expect([own.state, told]).toEqual(['open', ['service open']])
  })

  it('whatever the calls of one do, those of another are let through as long as they go well', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 120, size: 'max' }), (failures, steps) => {
        const { own, clock } = breaker(failures)
        const calls: Passage[] = []
        for (const one of steps) {
          if (one.do === 'wait') clock.advance(one.ms)
          else if (one.do === 'enter') {
            const passage = own.enter('alice')
            if (passage !== undefined) calls.push(passage)
          } else {
            const passage = calls[one.call % Math.max(1, calls.length)]
            if (one.how === 'begun') passage?.begun()
            else if (one.how === 'well') passage?.succeeded()
            else if (one.how === 'failed') passage?.failed()
            else passage?.abandoned()
          }
          const other = own.enter('bob')
          expect([own.stateFor('bob'), other !== undefined]).toEqual(['closed', true])
          if (one.do === 'wait') other?.succeeded()
          else other?.abandoned()
        }
      }),
      { numRuns: 200 },
    )
  })

  it('are forgotten when there are very many', () => {
    const { own } = breaker(2)
    for (let count = 0; count < 20_000; count++) {
      own.enter(`key ${count}`)?.failed()
      own.enter('bob')?.succeeded()
    }
    expect(own.state).toBe('closed')
  })
})

/** The same from the history alone: every question reads all of it again from its beginning. */
class SlowModel {
  readonly #settings: Required<BreakerSettings>
  readonly #history: { readonly at: number; readonly what: 'enter' | 'well' | 'failed' | 'abandoned' | 'begun'; readonly call: number }[] =
    []

  constructor(settings: Required<BreakerSettings>) {
    this.#settings = settings
  }

  state(at: number): BreakerState {
    return this.#replay(at).state
  }

  enter(call: number, at: number): boolean {
    this.#history.push({ at, what: 'enter', call })
    return this.#replay(at).inside.has(call)
  }

  end(call: number, what: 'well' | 'failed' | 'abandoned' | 'begun', at: number): void {
    this.#history.push({ at, what, call })
  }

  #replay(now: number): { state: BreakerState; inside: ReadonlySet<number> } {
    const { failures: threshold, openMs, maxOpenMs } = this.#settings
    let state = 'closed' as BreakerState
    let row = 0
    let waits = 0
    let until = 0
    let probe: number | undefined
    const inside = new Set<number>()
    /** Calls whose outcome still counts. */
    let current = new Set<number>()
    const turn = (to: BreakerState, keep?: number): void => {
      state = to
      current = new Set(keep === undefined ? [] : [keep])
    }
    const open = (at: number): void => {
      until = at + Math.min(maxOpenMs, openMs * 2 ** waits)
      waits += 1
      turn('open')
    }
    for (const { at, what, call } of this.#history) {
      if (state === 'open' && at >= until && what === 'enter') turn('half-open')
      if (what === 'enter') {
        if (state === 'open' || (state === 'half-open' && probe !== undefined)) continue
        if (state === 'half-open') probe = call
        inside.add(call)
        current.add(call)
        continue
      }
      const counts = current.has(call)
      const wasProbe = probe === call
      if (what === 'begun') {
        if (!wasProbe || !counts) continue
        probe = undefined
        row = threshold - 1
        turn('closed', call)
        continue
      }
      if (wasProbe) probe = undefined
      current.delete(call)
      if (!counts || what === 'abandoned') continue
      if (what === 'well') {
        row = 0
        waits = 0
        if (state !== 'closed') turn('closed')
      } else {
        row += 1
        if (state === 'half-open' || row >= threshold) open(at)
      }
    }
    return { state: state === 'open' && now >= until ? 'half-open' : state, inside }
  }
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('enter' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 1, 400, 999, 1000, 2000, 5000) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      call: fc.nat(30),
      isOver: fc.integer({ min: 0, max: 9 }).map((value) => value === 0),
      how: fc.constantFrom(
        'well' as const,
        'failed' as const,
        'failed' as const,
        'failed' as const,
        'abandoned' as const,
        'begun' as const,
      ),
    }),
  },
)

describe('any history', () => {
  it('gives the same states as reading all of it again from its beginning', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        // One caller alone meets the same as calls without one.
        fc.constantFrom(undefined, 'alice'),
        fc.array(step, { maxLength: 120, size: 'max' }),
        (failures, doubles, caller, steps) => {
          const settings = { failures, openMs: 1000, maxOpenMs: doubles ? 4000 : 1000 }
          const clock = manualClock()
          const changes: BreakerState[] = []
          const own = createBreaker(settings, { clock, onChange: (state) => changes.push(state) })
          const model = new SlowModel(settings)
          const calls = new Map<number, Passage>()
          const under: number[] = []
          let next = 0
          for (const one of steps) {
            if (one.do === 'wait') clock.advance(one.ms)
            else if (one.do === 'enter') {
              const passage = own.enter(caller)
              expect(passage !== undefined).toBe(model.enter(next, clock.now()))
              if (passage !== undefined) {
                calls.set(next, passage)
                under.push(next)
              }
              next++
            } else {
              // Mostly a call that is under way, now and then one that is over.
              const among = one.isOver ? [...calls.keys()] : under
              const call = among[one.call % among.length]
              const passage = call === undefined ? undefined : calls.get(call)
              if (call === undefined || passage === undefined) continue
              if (one.how !== 'begun' && under.includes(call)) under.splice(under.indexOf(call), 1)
              model.end(call, one.how, clock.now())
              if (one.how === 'begun') passage.begun()
              else if (one.how === 'well') passage.succeeded()
              else if (one.how === 'failed') passage.failed()
              else passage.abandoned()
            }
            expect([own.state, own.stateFor(caller)]).toEqual([model.state(clock.now()), model.state(clock.now())])
            expect(clock.pending).toBe(0)
          }
          for (const [index, change] of changes.entries()) expect(change).not.toBe(index === 0 ? 'closed' : changes[index - 1])
        },
      ),
      { numRuns: 200 },
    )
  })
})
