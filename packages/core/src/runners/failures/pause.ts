import type { Clock } from '../../contract/ports.ts'
import type { StopSignal } from '../../engine/stop.ts'
import { abortedFailure } from './provider-failures.ts'

/** Waits for a while, but not past the abort of the caller. */
export function pause(ms: number, signal: StopSignal, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortedFailure(signal))
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    })
    const onAbort = (): void => {
      cancel()
      signal.removeEventListener('abort', onAbort)
      reject(abortedFailure(signal))
    }
    signal.addEventListener('abort', onAbort)
  })
}
