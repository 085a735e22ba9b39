import { ProcessesBusy } from '@stickler/claude'
import { RunnerFailure } from '@stickler/core'

/** Thrown while a circuit breaker keeps calls from an upstream: nothing was sent. */
export class CircuitOpen extends RunnerFailure {
  constructor(upstream: string, retryAfterMs: number) {
    super('http', `the upstream ${upstream} failed too often and is left alone for a while`, { status: 503, retryAfterMs })
  }
}

/** Whether the call was held back here, which says nothing about the provider: nothing was sent. */
export function isHeldBack(failure: RunnerFailure): boolean {
  return failure instanceof CircuitOpen || failure instanceof ProcessesBusy
}

/** Whether the provider is to blame, and not the caller or the answer: nobody there, silence, or an error of the server. */
export function isUpstreamFault({ kind, details: { status = 0 } }: RunnerFailure): boolean {
  return kind === 'connection' || kind === 'timeout' || (kind === 'http' && status >= 500)
}

/** Whether the same call may succeed a little later. */
export function isPassing(failure: RunnerFailure): boolean {
  // It has waited already, or waiting would not help.
  if (isHeldBack(failure)) return false
  const { status = 0 } = failure.details
  if (failure.kind === 'http') return status === 408 || status === 429 || (status >= 500 && status <= 599)
  // After a timeout another try would only wait as long again; that is what fail-over is for.
  return failure.kind === 'connection'
}
