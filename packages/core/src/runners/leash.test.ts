import { describe, expect, it, vi } from 'vitest'
import { systemClock } from '../contract/ports.ts'
import { RunnerFailure } from '../engine/runner-failure.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { holdLeash } from './leash.ts'

const never = new Promise<never>(() => {})

describe('holdLeash', () => {
  it('lets a promise through', async () => {
    const leash = holdLeash(new AbortController().signal, manualClock())
    await expect(leash.hold(Promise.resolve(1))).resolves.toBe(1)
    await expect(leash.hold(Promise.reject(new Error('no')))).rejects.toThrow('no')
  })
  it('stops at once on abort and leaves nothing behind', async () => {
    const clock = manualClock()
    const caller = new AbortController()
    const leash = holdLeash(caller.signal, clock)
    leash.limit(10, 'late')
    const held = leash.hold(never)
    caller.abort('enough')
    await expect(held).rejects.toMatchObject({ kind: 'aborted', details: { cause: 'enough' } })
    expect(leash.signal.aborted).toBe(true)
    expect(clock.pending).toBe(0)
    await expect(leash.hold(Promise.resolve(1))).rejects.toMatchObject({ kind: 'aborted' })
    await expect(leash.pause(5)).rejects.toMatchObject({ kind: 'aborted' })
    expect(clock.pending).toBe(0)
  })
  it('is stopped from the start when the caller had given up before', async () => {
    const leash = holdLeash(AbortSignal.abort(), manualClock())
    await expect(leash.hold(never)).rejects.toMatchObject({ kind: 'aborted' })
  })
  it('keeps the first failure', async () => {
    const caller = new AbortController()
    const leash = holdLeash(caller.signal, manualClock())
    leash.stop(new RunnerFailure('protocol', 'first'))
    caller.abort()
    await expect(leash.hold(never)).rejects.toMatchObject({ kind: 'protocol' })
  })
  it('times out unless the limit is lifted', async () => {
    const clock = manualClock()
    const leash = holdLeash(new AbortController().signal, clock)
    const lift = leash.limit(10, 'first')
    leash.limit(20, 'second')
    lift()
    const held = leash.hold(never)
    clock.advance(19)
    clock.advance(1)
    await expect(held).rejects.toMatchObject({ kind: 'timeout', message: 'second' })
  })
  it('waits', async () => {
    const clock = manualClock()
    const leash = holdLeash(new AbortController().signal, clock)
    const pause = leash.pause(10)
    clock.advance(10)
    await pause
    expect(clock.pending).toBe(0)
  })
  it('takes a limit that is longer than timers can be for a long one', async () => {
    const leash = holdLeash(new AbortController().signal, systemClock)
    leash.limit(Number.POSITIVE_INFINITY, 'late')
    leash.limit(2 ** 40, 'late')
    await expect(leash.hold(new Promise((resolve) => setTimeout(resolve, 5, 'ok')))).resolves.toBe('ok')
    leash.release()
  })
  it('removes its listener from a signal that lives on', () => {
    const signal = new AbortController().signal
    const add = vi.spyOn(signal, 'addEventListener')
    const remove = vi.spyOn(signal, 'removeEventListener')
    holdLeash(signal, manualClock()).release()
    expect(remove.mock.calls.map(([, listener]) => listener)).toEqual(add.mock.calls.map(([, listener]) => listener))
  })
})
