import { describe, expect, it, vi } from 'vitest'
import { systemClock } from '../contract/ports.ts'
import { RunnerFailure } from '../engine/runner-failure.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { openCancelScope } from './cancel-scope.ts'

const never = new Promise<never>(() => {})

describe('openCancelScope', () => {
  it('lets a promise through', async () => {
    const scope = openCancelScope(new AbortController().signal, manualClock())
    await expect(scope.hold(Promise.resolve(1))).resolves.toBe(1)
    await expect(scope.hold(Promise.reject(new Error('no')))).rejects.toThrow('no')
  })
  it('stops at once on abort and leaves nothing behind', async () => {
    const clock = manualClock()
    const caller = new AbortController()
    const scope = openCancelScope(caller.signal, clock)
    scope.limit(10, 'late')
    const held = scope.hold(never)
    caller.abort('enough')
    await expect(held).rejects.toMatchObject({ kind: 'aborted', details: { cause: 'enough' } })
    expect(scope.signal.aborted).toBe(true)
    expect(clock.pending).toBe(0)
    await expect(scope.hold(Promise.resolve(1))).rejects.toMatchObject({ kind: 'aborted' })
    await expect(scope.pause(5)).rejects.toMatchObject({ kind: 'aborted' })
    expect(clock.pending).toBe(0)
  })
  it('is stopped from the start when the caller had given up before', async () => {
    const scope = openCancelScope(AbortSignal.abort(), manualClock())
    await expect(scope.hold(never)).rejects.toMatchObject({ kind: 'aborted' })
  })
  it('keeps the first failure', async () => {
    const caller = new AbortController()
    const scope = openCancelScope(caller.signal, manualClock())
    scope.stop(new RunnerFailure('protocol', 'first'))
    caller.abort()
    await expect(scope.hold(never)).rejects.toMatchObject({ kind: 'protocol' })
  })
  it('times out unless the limit is lifted', async () => {
    const clock = manualClock()
    const scope = openCancelScope(new AbortController().signal, clock)
    const lift = scope.limit(10, 'first')
    scope.limit(20, 'second')
    lift()
    const held = scope.hold(never)
    clock.advance(19)
    clock.advance(1)
    await expect(held).rejects.toMatchObject({ kind: 'timeout', message: 'second' })
  })
  it('waits', async () => {
    const clock = manualClock()
    const scope = openCancelScope(new AbortController().signal, clock)
    const pause = scope.pause(10)
    clock.advance(10)
    await pause
    expect(clock.pending).toBe(0)
  })
  it('takes a limit that is longer than timers can be for a long one', async () => {
    const scope = openCancelScope(new AbortController().signal, systemClock)
    scope.limit(Number.POSITIVE_INFINITY, 'late')
    scope.limit(2 ** 40, 'late')
    await expect(scope.hold(new Promise((resolve) => setTimeout(resolve, 5, 'ok')))).resolves.toBe('ok')
    scope.release()
  })
  it('removes its listener from a signal that lives on', () => {
    const signal = new AbortController().signal
    const add = vi.spyOn(signal, 'addEventListener')
    const remove = vi.spyOn(signal, 'removeEventListener')
    openCancelScope(signal, manualClock()).release()
    expect(remove.mock.calls.map(([, listener]) => listener)).toEqual(add.mock.calls.map(([, listener]) => listener))
  })
})
