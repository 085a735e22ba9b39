import { HeldBack } from '@stickler/core/runners'

/** Thrown while a circuit breaker blocks calls to an upstream: nothing was sent. */
export class CircuitOpen extends HeldBack {
  constructor(upstream: string, retryAfterMs: number) {
    super('http', `the upstream ${upstream} failed too often and is not called for a while`, {
      status: 503,
      code: 'circuit_open',
      retryAfterMs,
    })
  }
}
