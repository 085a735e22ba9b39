import { type Clock, RunnerFailure } from '@stickler/core'
import { clamp, openCancelScope } from '@stickler/core/runners'

/** The result of a call, or why there is none. */
export type Limited<Value> = { readonly value: Value } | { readonly failure: string }

/** How a call is limited. */
export interface Limits {
  /** Its name in messages. */
  readonly name: string
  readonly timeoutMs: number
  readonly clock: Clock
  readonly signal: AbortSignal | undefined
}

/** Messages of foreign code are clamped. */
const longestReason = 200

/** Calls something that may fail or hang; throws only when the request is aborted. */
export async function limited<Value>(
  call: (signal: AbortSignal) => Promise<Value>,
  { name, timeoutMs, clock, signal }: Limits,
): Promise<Limited<Value>> {
  const scope = openCancelScope(signal ?? new AbortController().signal, clock)
  scope.limit(timeoutMs, `${name} did not answer within ${timeoutMs} ms`)
  try {
    return { value: await scope.hold(started(call, scope.signal)) }
  } catch (error) {
    if (signal?.aborted) throw new RunnerFailure('aborted', 'the run was aborted', { cause: signal.reason })
    return { failure: clamp(error instanceof Error ? error.message : String(error), longestReason) }
  } finally {
    scope.release()
  }
}

async function started<Value>(call: (signal: AbortSignal) => Promise<Value>, signal: AbortSignal): Promise<Value> {
  return call(signal)
}
