import type { Clock } from '../../contract/ports.ts'
import type { StopSignal } from '../stop.ts'

/** How long to wait for something. */
export interface WaitLimit {
  readonly clock: Clock
  readonly timeoutMs: number
  /** Ends the wait early. */
  readonly stop?: StopSignal | undefined
}

/** Waits for work; for what `late` gives when the time is over or the caller stops before it. Nothing keeps running after it. */
export function waitAtMost<Result, Late>(
  work: PromiseLike<Result>,
  { clock, timeoutMs, stop }: WaitLimit,
  late: () => Late | PromiseLike<Late>,
): Promise<Result | Late> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => end(() => resolve(new Promise((settle) => settle(late()))))
    const end = (settle: () => void): void => {
      cancel()
      stop?.removeEventListener('abort', giveUp)
      settle()
    }
    const cancel = clock.after(timeoutMs, giveUp)
    work.then(
      (result) => end(() => resolve(result)),
      (thrown) => end(() => reject(thrown)),
    )
    if (stop?.aborted) return giveUp()
    stop?.addEventListener('abort', giveUp)
  })
}
