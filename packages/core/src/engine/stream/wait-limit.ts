import type { Clock } from '../../contract/ports.ts'
import type { StopSignal } from '../stop.ts'

/** How long a stream waits for a verdict. */
export interface WaitLimit {
  readonly clock: Clock
  readonly timeoutMs: number
  /** Ends the wait early. */
  readonly stop: StopSignal | undefined
}

/** Waits until a promise settles, the time is over or the run stops, whichever is first; nothing keeps running after it. */
export function waitAtMost(promise: Promise<unknown>, { clock, timeoutMs, stop }: WaitLimit): Promise<void> {
  if (stop?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      cancel()
      stop?.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.after(timeoutMs, end)
    stop?.addEventListener('abort', end)
    promise.then(end, end)
  })
}
