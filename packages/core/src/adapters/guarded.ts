import { type Clock, systemClock } from '../contract/ports.ts'
import { because, type Called, type Reason, reasonOf } from '../contract/reason.ts'
import { type FaultKind, faultKinds, type NoVerdictDetails, ValidatorUnavailable } from '../contract/validator-unavailable.ts'
import { notStarted, RunnerFailure } from '../engine/runner-failure.ts'
import type { Breaker, Passage } from './breaker.ts'

/** How one call to a service is guarded. */
export interface GuardedCall {
  /** How long it may take. */
  readonly timeoutMs: number
  /** Ends it early, which says nothing about the service unless `isLate`. */
  readonly signal?: AbortSignal
  readonly clock?: Clock
  /** For whom it is: failures of one caller do not keep others from the service. */
  readonly caller?: string | undefined
  /** What messages call the service; `the service`. */
  readonly name?: string
  /** What it is where reasons have a code for it; sets its name. */
  readonly called?: Called
  /** Whether the service is to blame for what the call threw; for everything when absent. */
  readonly isFault?: (thrown: unknown) => boolean
  /** Whether a caller that ends the call for this reason has waited long enough to blame the service; never when absent. */
  readonly isLate?: (reason: unknown) => boolean
}

/** Thrown in place of an answer: the service was not asked, did not answer in time, or failed. */
export class ServiceUnavailable extends ValidatorUnavailable {
  declare readonly reason: 'open' | 'fault'

  constructor(message: string | Reason, how: 'open' | 'timeout' | 'fault', options?: NoVerdictDetails) {
    super(message, how === 'open' ? 'open' : 'fault', how === 'timeout' ? { ...options, fault: how } : options)
  }
}

/** Calls a service unless its circuit is open, for at most `timeoutMs`, and reports the result to the breaker. Faults of the service reject with ValidatorUnavailable. */
export async function guarded<Result>(
  breaker: Breaker,
  call: (signal: AbortSignal) => PromiseLike<Result>,
  { timeoutMs, signal, caller, clock = systemClock, name = 'the service', called, isFault = () => true, isLate = () => false }: GuardedCall,
): Promise<Result> {
  signal?.throwIfAborted()
  const passage = breaker.enter(caller)
  if (passage === undefined)
    throw new ServiceUnavailable(called ? because([['open', called]]) : `${name} failed too often and is not called for a while`, 'open')
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
    const late = (): void => {
      const reason = called ? because([['late', called, timeoutMs]]) : `${name} did not answer within ${timeoutMs} ms`
      stop('failed', new ServiceUnavailable(reason, 'timeout'))
    }
    const cancel = clock.after(timeoutMs, late)
    signal?.addEventListener('abort', onAbort)
    const answer = (result: Result): void => end('succeeded', () => resolve(result))
    const refuse = (thrown: unknown): void => {
      if (isFault(thrown)) end('failed', () => reject(asUnavailable(thrown, name, called)))
      else end('abandoned', () => reject(thrown))
    }
    started(call, controller.signal).then(answer, refuse)
  })
}

/** Failures that already explain why there is no answer are kept. */
function asUnavailable(thrown: unknown, name: string, called: Called | undefined): ValidatorUnavailable {
  if (thrown instanceof ValidatorUnavailable) return thrown
  const { message, codes = [] } = reasonOf(thrown)
  const reason = called
    ? { message: `the ${called} failed: ${message}`, codes: [['failed', called] as const, ...codes] }
    : `${name} failed: ${message}`
  return new ServiceUnavailable(reason, 'fault', { cause: thrown, fault: faultOf(thrown) })
}

function faultOf(thrown: unknown): FaultKind | undefined {
  if (!(thrown instanceof RunnerFailure)) return undefined
  const { kind, details } = thrown
  if (details.code === notStarted) return 'missing'
  return faultKinds.find((one) => one === kind)
}

async function started<Result>(call: (signal: AbortSignal) => PromiseLike<Result>, signal: AbortSignal): Promise<Result> {
  return call(signal)
}
