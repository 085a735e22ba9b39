import { type Clock, systemClock } from '../contract/ports.ts'
import { ValidatorUnavailable } from '../contract/validator-unavailable.ts'
import type { Breaker, Passage } from './breaker.ts'

/** How one call to a service is guarded. */
export interface GuardedCall {
  /** How long it may take. */
  readonly timeoutMs: number
  /** Ends it early, which says nothing about the service unless `isLate`. */
  readonly signal?: AbortSignal
  readonly clock?: Clock
  /** Whether the service is to blame for what the call threw; for everything when absent. */
  readonly isFault?: (thrown: unknown) => boolean
  /** Whether a caller that ends the call for this reason has waited long enough to blame the service; never when absent. */
  readonly isLate?: (reason: unknown) => boolean
}

/** Thrown in place of an answer: the service was not asked, or did not answer in time. */
export class ServiceUnavailable extends ValidatorUnavailable {
  readonly reason: 'open' | 'timeout'

  constructor(message: string, reason: 'open' | 'timeout') {
    super(message)
    this.reason = reason
  }
}

/** Calls a service unless its circuit is open, and not for longer than `timeoutMs`; tells the breaker how it went. */
export async function guarded<Result>(
  breaker: Breaker,
  call: (signal: AbortSignal) => PromiseLike<Result>,
  { timeoutMs, signal, clock = systemClock, isFault = () => true, isLate = () => false }: GuardedCall,
): Promise<Result> {
  signal?.throwIfAborted()
  const passage = breaker.enter()
  if (passage === undefined) throw new ServiceUnavailable('the service failed too often and is left alone for a while', 'open')
  const controller = new AbortController()
  return new Promise<Result>((resolve, reject) => {
    // What comes after the first end is ignored.
    let isOver = false
    const end = (how: keyof Omit<Passage, 'begun'>, settle: () => void): void => {
      if (isOver) return
      isOver = true
      cancel()
      signal?.removeEventListener('abort', onAbort)
      passage[how]()
      settle()
    }
    const stop = (how: 'failed' | 'abandoned', reason: unknown): void => {
      end(how, () => reject(reason))
      controller.abort(reason)
    }
    const onAbort = (): void => stop(isLate(signal?.reason) ? 'failed' : 'abandoned', signal?.reason)
    const late = (): void => stop('failed', new ServiceUnavailable(`the service did not answer within ${timeoutMs} ms`, 'timeout'))
    const cancel = clock.after(timeoutMs, late)
    signal?.addEventListener('abort', onAbort)
    const answer = (result: Result): void => end('succeeded', () => resolve(result))
    const refuse = (thrown: unknown): void => end(isFault(thrown) ? 'failed' : 'abandoned', () => reject(thrown))
    started(call, controller.signal).then(answer, refuse)
  })
}

async function started<Result>(call: (signal: AbortSignal) => PromiseLike<Result>, signal: AbortSignal): Promise<Result> {
  return call(signal)
}
