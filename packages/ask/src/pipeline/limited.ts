import { type Clock, RunnerFailure } from '@stickler/core'
import { because, type Called, openCancelScope, type Reason, reasonOf } from '@stickler/core/internal'

/** The result of a call, or why there is none. */
type Limited<Value> = { readonly value: Value } | { readonly failure: Reason }

/** How a call is limited. */
export interface Limits {
  readonly called: Called
  readonly timeoutMs: number
  readonly clock: Clock
  readonly signal: AbortSignal | undefined
}

/** Calls something that may fail or hang; throws only when the request is aborted. */
export async function limited<Value>(
  call: (signal: AbortSignal) => Promise<Value>,
  { called, timeoutMs, clock, signal }: Limits,
): Promise<Limited<Value>> {
  const scope = openCancelScope(signal ?? new AbortController().signal, clock)
  scope.limit(timeoutMs, because([['late', called, timeoutMs]]))
  try {
    return { value: await scope.hold(started(call, scope.signal)) }
  } catch (error) {
    if (signal?.aborted) throw new RunnerFailure('aborted', 'the run was aborted', { cause: signal.reason })
    return { failure: reasonOf(error) }
  } finally {
    scope.release()
  }
}

async function started<Value>(call: (signal: AbortSignal) => Promise<Value>, signal: AbortSignal): Promise<Value> {
  return call(signal)
}
