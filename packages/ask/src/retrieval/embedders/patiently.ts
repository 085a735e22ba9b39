import type { Clock } from '@stickler/core'
import { asRunnerFailure, isPassing, openCancelScope } from '@stickler/core/internal'
import { type Breaker, ServiceUnavailable } from '@stickler/core/validators'

/** How a call is retried. */
interface Patience {
  readonly breaker: Breaker
  readonly clock: Clock
  readonly signal?: AbortSignal
}

/** Waits before retries, in milliseconds. */
const waits: readonly number[] = [500, 2000, 8000]
const maxRetryAfterMs = 120_000

/**
 * Retries a call to a service that may recover, three times: after growing pauses, or the requested
 * one when that is longer.
 */
export async function patiently<Result>(call: () => Promise<Result>, { breaker, clock, signal }: Patience): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      const asked = pauseAskedFor(error, breaker)
      const wait = waits[attempt]
      if (asked === undefined || asked > maxRetryAfterMs || wait === undefined) throw error
      await pause(Math.max(asked, wait), clock, signal)
    }
  }
}

/** The minimum wait; undefined when the same call cannot succeed later. */
function pauseAskedFor(error: unknown, breaker: Breaker): number | undefined {
  if (!(error instanceof ServiceUnavailable)) return undefined
  if (error.reason === 'open' || error.fault === 'timeout') return breaker.retryAfterMs()
  const failure = asRunnerFailure(error.cause)
  return isPassing(failure) ? Math.max(failure.details.retryAfterMs ?? 0, breaker.retryAfterMs()) : undefined
}

async function pause(ms: number, clock: Clock, signal = new AbortController().signal): Promise<void> {
  const scope = openCancelScope(signal, clock)
  try {
    await scope.pause(ms)
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    scope.release()
  }
}
