import type { Clock } from '../contract/ports.ts'
import { openCancelScope } from '../runners/cancel-scope.ts'

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
  const scope = openCancelScope(signal ?? new AbortController().signal, clock)
  scope.limit(timeoutMs, `there was no answer within ${timeoutMs} ms`)
  try {
    return await scope.hold(call(scope.signal))
  } finally {
    scope.release()
  }
}
