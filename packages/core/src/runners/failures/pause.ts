import type { Clock } from '../../contract/ports.ts'
import type { StopSignal } from '../../engine/stop.ts'
import { waitAtMost } from '../../engine/waiting/wait-at-most.ts'
import { abortedFailure } from './provider-failures.ts'

/** Waits for a while, but not past the abort of the caller. */
export function pause(timeoutMs: number, stop: StopSignal, clock: Clock): Promise<void> {
  const late = (): Promise<void> => (stop.aborted ? Promise.reject(abortedFailure(stop)) : Promise.resolve())
  return waitAtMost(new Promise<void>(() => {}), { clock, timeoutMs, stop }, late)
}
