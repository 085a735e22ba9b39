import { ConfigurationError } from '../../contract/configuration-error.ts'
import { type Clock, systemClock } from '../../contract/ports.ts'
import { RunnerFailure } from '../../engine/runner-failure.ts'
import type { StopSignal } from '../../engine/stop.ts'
import { waitAtMost } from '../../engine/waiting/wait-at-most.ts'
import { abortedFailure } from './provider-failures.ts'

/** Thrown when a call was held back on this side: nothing was sent, and it says nothing about the provider. */
export class HeldBack extends RunnerFailure {}

/** Whether a status says that the same request may succeed a little later. */
function isPassingStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status <= 599)
}

/** Whether the same call may succeed a little later. */
export function isPassing(failure: RunnerFailure): boolean {
  // It has waited already, or waiting would not help.
  if (failure instanceof HeldBack) return false
  const { kind, details } = failure
  return kind === 'http' ? isPassingStatus(details.status ?? 0) : kind === 'connection' || kind === 'timeout'
}

/** Whether the provider is to blame, and not the caller or the answer: unreachable, silent, or an error of the server. */
export function isUpstreamFault({ kind, details: { status = 0 } }: RunnerFailure): boolean {
  return kind === 'connection' || kind === 'timeout' || (kind === 'http' && status >= 500)
}

/** How often and how patiently a call is repeated. */
export interface RetrySettings {
  /** How often a call is repeated; 2. */
  readonly retries?: number
  /** The first wait; each next one is twice as long; 500 ms. */
  readonly baseDelayMs?: number
  /** The longest wait of our own; 8 s. */
  readonly maxDelayMs?: number
  /** The longest wait that a provider may ask for when the call has no deadline; 60 s. */
  readonly maxRetryAfterMs?: number
  /** Whether a call is repeated after a timeout, which may take as long again; yes. */
  readonly repeatTimeouts?: boolean
  /** Whether a call is repeated when its answer had begun, so that a model has worked on it; yes. */
  readonly repeatBegun?: boolean
}

/** What retries do not read by themselves. */
export interface RetryPorts {
  readonly clock?: Clock
  /** A number from 0 up to 1; `Math.random`. */
  readonly random?: () => number
}

/** What a call must know to be repeated. */
interface RepeatableCall {
  readonly signal: StopSignal
  /** Milliseconds left for everything, when there is a deadline. */
  readonly timeLeftMs?: number
}

/** Waits before another attempt and gives its options; throws the failure when there must be none. */
export type Patience<Options> = (failure: RunnerFailure) => Promise<Options>

/** The rules of all retries: what begins the patience for one call, which began at `begin` on the clock. */
export function retryRules(
  settings: RetrySettings = {},
  ports: RetryPorts = {},
): <Options extends RepeatableCall>(options: Options, begin?: number) => Patience<Options> {
  const {
    retries = 2,
    baseDelayMs = 500,
    maxDelayMs = 8000,
    maxRetryAfterMs = 60_000,
    repeatTimeouts = true,
    repeatBegun = true,
  } = settings
  const { clock = systemClock, random = Math.random } = ports
  if (!Number.isInteger(retries) || retries < 0) {
    throw new ConfigurationError([{ path: ['retries'], message: 'must be a whole number that is not negative' }])
  }

  /** Half of the wait is certain and half is chance, so that callers that failed together do not return together. */
  function delay({ details }: RunnerFailure, attempt: number): number {
    const backoff = Math.min(maxDelayMs, baseDelayMs * 2 ** attempt) * (0.5 + random() / 2)
    return Math.max(details.retryAfterMs ?? 0, backoff)
  }

  return <Options extends RepeatableCall>(options: Options, begin = clock.now()): Patience<Options> => {
    const { timeLeftMs, signal } = options
    const timeLeft = (): number | undefined => (timeLeftMs === undefined ? undefined : Math.max(0, timeLeftMs - (clock.now() - begin)))
    let attempt = 0
    return async (failure) => {
      const wait = delay(failure, attempt)
      const longest = timeLeft() ?? Math.max(maxRetryAfterMs, maxDelayMs) + 1
      const { kind, details } = failure
      const isWorthIt = isPassing(failure) && (repeatTimeouts || kind !== 'timeout') && (repeatBegun || details.isMidway !== true)
      if (attempt++ >= retries || !isWorthIt || wait >= longest) throw failure
      await pause(wait, signal, clock)
      const left = timeLeft()
      return left === undefined ? options : { ...options, timeLeftMs: left }
    }
  }
}

/** Waits for a while, but not past the abort of the caller. */
export function pause(timeoutMs: number, stop: StopSignal, clock: Clock): Promise<void> {
  const late = (): Promise<void> => (stop.aborted ? Promise.reject(abortedFailure(stop)) : Promise.resolve())
  return waitAtMost(new Promise<void>(() => {}), { clock, timeoutMs, stop }, late)
}
