import { type Clock, ConfigurationError, type RunnerFailure, systemClock } from '@stickler/core'
import { asRunnerFailure } from '@stickler/core/runners'
import type { Upstream, UpstreamCallOptions } from '../upstream.ts'
import { isPassing } from './passing-failure.ts'
import { pause } from './pause.ts'
import { SwitchingCall } from './switching-call.ts'

/** How often and how patiently a call is repeated. */
export interface RetrySettings {
  /** How often a call is repeated; 2. */
  readonly retries?: number
  /** The first wait; each next one is twice as long; 250 ms. */
  readonly baseDelayMs?: number
  /** The longest wait of our own; 8 s. */
  readonly maxDelayMs?: number
  /** The longest wait that a provider may ask for when the call has no deadline; 30 s. */
  readonly maxRetryAfterMs?: number
}

/** What retries do not read by themselves. */
export interface RetryPorts {
  readonly clock?: Clock
  /** A number from 0 up to 1; `Math.random`. */
  readonly random?: () => number
}

/** Repeats calls that failed on the way, as long as nothing of an answer has come. */
export function withRetries(upstream: Upstream, settings: RetrySettings = {}, ports: RetryPorts = {}): Upstream {
  const { retries = 2, baseDelayMs = 250, maxDelayMs = 8000, maxRetryAfterMs = 30_000 } = settings
  const { clock = systemClock, random = Math.random } = ports
  if (!Number.isInteger(retries) || retries < 0 || retries > 10) {
    throw new ConfigurationError([{ path: ['retries'], message: 'must be a whole number from 0 to 10' }])
  }

  /** Half of the wait is certain and half is chance, so that callers that failed together do not return together. */
  function delay({ details }: RunnerFailure, attempt: number): number {
    const backoff = Math.min(maxDelayMs, baseDelayMs * 2 ** attempt) * (0.5 + random() / 2)
    return Math.max(details.retryAfterMs ?? 0, backoff)
  }

  /** Returns a function that waits before another attempt, or throws when there must be none. */
  function patience(options: UpstreamCallOptions): (failure: RunnerFailure) => Promise<UpstreamCallOptions> {
    const begin = clock.now()
    let attempt = 0
    return async (failure) => {
      const { timeLeftMs } = options
      const wait = delay(failure, attempt)
      const left = timeLeftMs === undefined ? undefined : timeLeftMs - (clock.now() - begin)
      if (attempt++ >= retries || !isPassing(failure) || wait >= (left ?? Math.max(maxRetryAfterMs, maxDelayMs) + 1)) throw failure
      await pause(wait, options.signal, clock)
      return left === undefined ? options : { ...options, timeLeftMs: left - wait }
    }
  }

  const { pass } = upstream
  return {
    ...upstream,
    call(request, options) {
      const wait = patience(options)
      return new SwitchingCall(upstream.call(request, options), async (failure) => upstream.call(request, await wait(failure)))
    },
    ...(pass === undefined
      ? {}
      : {
          async pass(path, body, options) {
            const wait = patience(options)
            for (let own = options; ; ) {
              try {
                return await pass(path, body, own)
              } catch (thrown) {
                own = await wait(asRunnerFailure(thrown))
              }
            }
          },
        }),
  }
}
