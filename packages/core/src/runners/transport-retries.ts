import { ConfigurationError } from '../contract/configuration-error.ts'
import { type Clock, systemClock } from '../contract/ports.ts'
import type { CallOptions, ModelEvent, Runner } from '../engine/runner.ts'
import { asRunnerFailure, type RunnerFailure } from '../engine/runner-failure.ts'
import { holdLeash } from './leash.ts'

/** How often and how patiently a call is repeated. */
export interface TransportRetrySettings {
  /** How often a call is repeated; 2. */
  readonly retries?: number
  readonly clock?: Clock
  /** A number from 0 up to 1; `Math.random`. */
  readonly random?: () => number
  /** The first wait; each next one is twice as long. */
  readonly baseDelayMs?: number
  readonly maxDelayMs?: number
  /** The longest wait that a provider may ask for when the call has no deadline; 60 s. */
  readonly maxRetryAfterMs?: number
}

/** Repeats calls that failed on the way, as long as nothing of an answer has come. */
export function withTransportRetries(runner: Runner, settings: TransportRetrySettings = {}): Runner {
  const { retries = 2, clock = systemClock, random = Math.random } = settings
  const { baseDelayMs = 500, maxDelayMs = 8000, maxRetryAfterMs = 60_000 } = settings
  const longestWait = Math.max(maxRetryAfterMs, maxDelayMs) + 1
  if (!Number.isInteger(retries) || retries < 0) {
    throw new ConfigurationError([{ path: ['retries'], message: 'must be a whole number that is not negative' }])
  }

  /** Half of the wait is certain and half is chance, so that callers that failed together do not return together. */
  function delay({ details }: RunnerFailure, attempt: number): number {
    const backoff = Math.min(maxDelayMs, baseDelayMs * 2 ** attempt) * (0.5 + random() / 2)
    return Math.max(details.retryAfterMs ?? 0, backoff)
  }

  async function* repeat<O extends CallOptions>(call: (options: O) => AsyncIterable<ModelEvent>, options: O): AsyncGenerator<ModelEvent> {
    const begin = clock.now()
    const timeLeft = (): number | undefined => options.timeLeftMs && Math.max(0, options.timeLeftMs - (clock.now() - begin))
    for (let attempt = 0; ; attempt++) {
      let hasBegun = false
      const left = timeLeft()
      try {
        for await (const event of call(left === undefined ? options : { ...options, timeLeftMs: left })) {
          hasBegun = true
          yield event
        }
        return
      } catch (thrown) {
        const failure = asRunnerFailure(thrown)
        const wait = delay(failure, attempt)
        if (hasBegun || attempt >= retries || !isPassing(failure) || wait >= (timeLeft() ?? longestWait)) throw failure
        await pause(wait, options.signal)
      }
    }
  }

  async function pause(ms: number, signal: AbortSignal): Promise<void> {
    const leash = holdLeash(signal, clock)
    try {
      await leash.pause(ms)
    } finally {
      leash.release()
    }
  }

  return {
    run: (session, prompt, options) => repeat((own) => runner.run(session, prompt, own), options),
    continue: (session, feedback, options) => repeat((own) => runner.continue(session, feedback, own), options),
  }
}

/** Whether the same call may succeed a little later. */
function isPassing({ kind, details: { status = 0 } }: RunnerFailure): boolean {
  if (kind === 'http') return status === 408 || status === 429 || (status >= 500 && status <= 599)
  return kind === 'connection' || kind === 'timeout'
}
