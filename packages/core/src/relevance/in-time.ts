import type { Clock } from '../contract/ports.ts'
import { holdLeash } from '../runners/leash.ts'

/** How long a call may take, and what ends it before. */
export interface CallLimits {
  readonly timeoutMs: number
  readonly clock: Clock
  readonly signal: AbortSignal | undefined
}

/** Waits for a call for a limited time, and no longer than the caller; the call is always aborted afterwards. */
export async function inTime<Result>(
  call: (signal: AbortSignal) => Promise<Result>,
  { timeoutMs, clock, signal }: CallLimits,
): Promise<Result> {
  const leash = holdLeash(signal ?? new AbortController().signal, clock)
  leash.limit(timeoutMs, `there was no answer within ${timeoutMs} ms`)
  try {
    return await leash.hold(call(leash.signal))
  } finally {
    leash.release()
  }
}
