import { ConfigurationError, systemClock } from '@stickler/core'
import { asRunnerFailure, type RetryPorts, type RetrySettings, retryRules } from '@stickler/core/runners'
import type { PassedReply, Upstream, UpstreamCallOptions } from '../upstream.ts'
import { type Guard, GuardedCall } from './guarded-call.ts'
import { mustPass, passing, type Replacement, ResilientCall } from './until-first-event.ts'

/** How failures of one upstream are handled. */
export interface ResilienceSettings extends Omit<Guard, 'name'> {
  readonly retry?: RetrySettings | undefined
}

/**
 * Stops calling an upstream for a while when it keeps failing, and repeats failed calls while
 * nothing of an answer has arrived; not after a timeout, where fail-over takes over.
 */
export function resilient(upstream: Upstream, settings: ResilienceSettings, ports: RetryPorts = {}): Upstream {
  const { retry = {}, breaker, tell } = settings
  const { name, pass } = upstream
  const { clock = systemClock } = ports
  if ((retry.retries ?? 0) > 10) throw new ConfigurationError([{ path: ['retries'], message: 'must be at most 10' }])
  const patience = retryRules({ repeatTimeouts: false, ...retry }, ports)
  const guard: Guard = { name, breaker, tell }

  async function passOnce(path: string, body: unknown, options: UpstreamCallOptions): Promise<PassedReply> {
    const guarded = new GuardedCall(undefined, guard)
    guarded.enter()
    try {
      const reply = await mustPass(upstream)(path, body, options)
      guarded.ended()
      return reply
    } catch (thrown) {
      guarded.failed(asRunnerFailure(thrown))
      throw thrown
    }
  }

  return {
    ...upstream,
    call(request, options) {
      const begin = clock.now()
      let wait: Replacement<UpstreamCallOptions> | undefined
      return new ResilientCall(upstream.call(request, options), guard, async (failure) => {
        wait ??= patience(options, begin)
        return upstream.call(request, await wait(failure))
      })
    },
    ...(pass && {
      pass(path, body, options) {
        const wait = patience(options)
        return passing(
          () => passOnce(path, body, options),
          async (failure) => {
            const own = await wait(failure)
            return () => passOnce(path, body, own)
          },
        )
      },
    }),
  }
}
