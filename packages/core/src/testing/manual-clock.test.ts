import { describe, expect, it } from 'vitest'
import { manualClock } from './manual-clock.ts'

describe('manualClock', () => {
  it('stands still until it is moved', () => {
    const clock = manualClock(5)
    expect(clock.now()).toBe(5)
    clock.advance(10)
    expect(clock.now()).toBe(15)
  })
  it('runs what falls due, in order of time and then of arrival, each at its time', () => {
    const clock = manualClock()
    const log: string[] = []
    const note = (name: string) => () => void log.push(`${name}@${clock.now()}`)
    clock.after(20, note('late'))
    clock.after(10, note('first'))
    clock.after(10, note('second'))
    clock.after(-5, note('at once'))
    clock.after(31, note('never'))
    clock.after(15, () => clock.after(15, note('nested')))
    clock.advance(30)
    expect(log).toEqual(['at once@0', 'first@10', 'second@10', 'late@20', 'nested@30'])
    expect(clock.pending).toBe(1)
  })
  it('cancels', () => {
    const clock = manualClock()
    let ran = false
    const cancel = clock.after(1, () => {
      ran = true
    })
    cancel()
    cancel()
    clock.advance(5)
    expect([ran, clock.pending]).toEqual([false, 0])
  })
  it('lets promises settle between timers', async () => {
    const clock = manualClock()
    const pause = (ms: number): Promise<void> => new Promise((resolve) => clock.after(ms, resolve))
    const times: number[] = []
    const walk = async (): Promise<void> => {
      for (let step = 0; step < 3; step++) {
        await pause(10)
        times.push(clock.now())
      }
    }
    void walk()
    await clock.advanceAsync(100)
    expect(times).toEqual([10, 20, 30])
    expect(clock.now()).toBe(100)
  })
})
