import type { Clock } from '../contract/ports.ts'
import type { Reason } from '../contract/reason.ts'
import { RunnerFailure } from '../engine/runner-failure.ts'

/** The scope of one call: stops it when its caller gives up or a time limit passes, and lets go of every timer when it is over. */
export interface CancelScope {
  /** Aborted when the call stops, and when it is over. */
  readonly signal: AbortSignal
  /** Stops the call; the first failure counts. */
  stop(failure: RunnerFailure): void
  /** Stops the call with a timeout after `ms`; the returned function lifts the limit. */
  limit(ms: number, reason: string | Reason): () => void
  /** Runs `task` after `ms` unless the call is over by then; the returned function cancels it. */
  after(ms: number, task: () => void): () => void
  /** Waits for a promise, but not past the stop of the call. One at a time. */
  hold<T>(promise: PromiseLike<T>): Promise<T>
  /** Waits for a while, but not past the stop of the call. */
  pause(ms: number): Promise<void>
  /** Ends the call: nothing of it is left. */
  release(): void
}

/** The longest time that `setTimeout` can wait; beyond it, it fires at once. */
const longestTimer = 2 ** 31 - 1

/** Opens the scope of a call. */
export function openCancelScope(signal: AbortSignal, clock: Clock): CancelScope {
  const controller = new AbortController()
  const timers = new Set<() => void>()
  let stopped: RunnerFailure | undefined
  // A slot and not Promise.race on one long promise: that one would keep a reaction for every chunk of a long stream.
  let rejectHeld: ((failure: RunnerFailure) => void) | undefined

  const stop = (failure: RunnerFailure): void => {
    if (stopped !== undefined) return
    stopped = failure
    release()
    rejectHeld?.(failure)
  }
  const onAbort = (): void => stop(new RunnerFailure('aborted', 'the call was aborted', { cause: signal.reason }))
  const release = (): void => {
    signal.removeEventListener('abort', onAbort)
    for (const cancel of timers) cancel()
    timers.clear()
    controller.abort(stopped)
  }
  const after = (ms: number, task: () => void): (() => void) => {
    if (stopped !== undefined) return () => {}
    const cancelTimer = clock.after(Math.min(ms, longestTimer), () => {
      timers.delete(cancel)
      task()
    })
    const cancel = (): void => {
      timers.delete(cancel)
      cancelTimer()
    }
    timers.add(cancel)
    return cancel
  }
  const hold = <T>(promise: PromiseLike<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      promise.then(resolve, reject)
      if (stopped === undefined) rejectHeld = reject
      else reject(stopped)
    })

  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    stop,
    limit: (ms, reason) => after(ms, () => stop(new RunnerFailure('timeout', reason))),
    after,
    hold,
    pause: (ms) => hold(new Promise((resolve) => after(ms, resolve))),
    release,
  }
}
