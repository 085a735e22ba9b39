import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../testing/manual-clock.ts'
import { coarseClock, mostLateMs } from './coarse-clock.ts'

const step = fc.oneof(fc.record({ wait: fc.nat(120) }), fc.record({ cancel: fc.nat(20) }), fc.record({ pass: fc.nat(60) }))

describe('coarseClock', () => {
  it('runs every task that is not cancelled, at most 25 ms late, with one timer that is there only while something waits', () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const clock = manualClock()
        const coarse = coarseClock(clock)
        const waits: { readonly at: number; ranAt?: number; isCancelled?: true; readonly cancel: () => void }[] = []
        const isOpen = () => waits.some(({ ranAt, isCancelled }) => ranAt === undefined && !isCancelled)
        for (const one of steps) {
          if ('wait' in one) {
            const number = waits.length
            const cancel = coarse.after(one.wait, () => {
              const wait = waits[number]
              if (wait !== undefined) wait.ranAt = clock.now()
            })
            waits.push({ at: clock.now() + one.wait, cancel })
          } else if ('cancel' in one) {
            const wait = waits[one.cancel]
            wait?.cancel()
            if (wait?.ranAt === undefined && wait !== undefined) wait.isCancelled = true
          } else clock.advance(one.pass)
          expect(clock.pending).toBe(isOpen() ? 1 : 0)
          for (const { at, ranAt, isCancelled } of waits) {
            if (isCancelled) expect(ranAt).toBeUndefined()
            else if (ranAt === undefined) expect(at).toBeGreaterThan(clock.now() - mostLateMs - 1)
            else expect(ranAt - at).toBeLessThanOrEqual(mostLateMs)
            if (ranAt !== undefined) expect(ranAt).toBeGreaterThanOrEqual(at - 1)
          }
        }
      }),
      { numRuns: 200 },
    ))

  it('looks at all waits once in 25 ms, however close their times are', () => {
    const clock = manualClock()
    let timers = 0
    const after = (ms: number, task: () => void) => {
      const run = (): void => {
        timers++
        task()
      }
      return clock.after(ms, run)
    }
    const counting = { now: clock.now, after }
    const coarse = coarseClock(counting)
    for (let ms = 1; ms <= 1000; ms++) coarse.after(ms, () => {})
    clock.advance(2000)
    expect(timers).toBeLessThanOrEqual(42)
    expect(clock.pending).toBe(0)
  })

  it('goes on after a task that throws', () => {
    const clock = manualClock()
    const coarse = coarseClock(clock)
    const ran: string[] = []
    coarse.after(5, () => {
      throw new Error('a task')
    })
    coarse.after(50, () => ran.push('second'))
    expect(() => clock.advance(5)).toThrow('a task')
    clock.advance(50)
    expect(ran).toEqual(['second'])
  })
})
