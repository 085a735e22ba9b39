import { HeldBack } from '@stickler/core/runners'

/** Thrown while a circuit breaker keeps calls from an upstream: nothing was sent. */
export class CircuitOpen extends HeldBack {
  constructor(upstream: string, retryAfterMs: number) {
    super('http', `the upstream ${upstream} failed too often and is left alone for a while`, { status: 503, retryAfterMs })
  }
}
