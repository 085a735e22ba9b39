import { ConfigurationError } from '@stickler/core'
import { asRunnerFailure, type RetryPorts, type RetrySettings, retryRules, systemClock } from '@stickler/core/internal'
import type { UpstreamCallOptions } from '@stickler/core/internal/relay'
import { type BreakerState, createBreaker } from '@stickler/core/validators'
import { fanOut, withSchemaSent } from './adapted-upstream.ts'
import type { UpstreamConfig, UpstreamPorts } from './kinds/upstream-kind.ts'
import { type Guard, GuardedCall } from './resilience/guarded-call.ts'
import { mustPass, passing, type Replacement, ResilientCall } from './resilience/resilient-call.ts'
import type { PassedReply, Upstream } from './upstream.ts'

/** Makes a configured upstream, with its retries and its circuit breaker. */
export function createConfigured(config: UpstreamConfig, ports: UpstreamPorts = {}): Upstream {
  const { maker, record, settings } = config
  const { name, retry, breaker } = settings
  const { onBreaker, onFailure } = ports
  const plain = withSchemaSent(maker.create(settings, ports))
  const onChange = onBreaker === undefined ? {} : { onChange: (state: BreakerState) => onBreaker(name, state) }
  const circuit = breaker === false ? undefined : createBreaker(breaker, { ...ports, ...onChange })
  const patient = resilient(plain, { retry, breaker: circuit, tell: (failure) => onFailure?.(name, failure) }, ports)
  // Choices are retried separately where each is a separate call.
  return record.traits.countsChoices ? patient : fanOut(patient)
}

/** How failures of one upstream are handled. */
interface ResilienceSettings extends Omit<Guard, 'name'> {
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
        const again = await wait(failure)
        options.onRepeat?.(failure)
        return upstream.call(request, again)
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
