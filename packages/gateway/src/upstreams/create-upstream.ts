import { ConfigurationError, unknownName } from '@stickler/core'
import { asRunnerFailure, type RetryPorts, type RetrySettings, retryRules } from '@stickler/core/runners'
import { type BreakerState, createBreaker } from '@stickler/core/services'
import { upstreamKinds } from './kinds/index.ts'
import type { UpstreamConfig, UpstreamMaker, UpstreamPorts, UpstreamSettings, UpstreamTraits } from './kinds/upstream-kind.ts'
import { fanOut } from './resilience/fan-out.ts'
import { alwaysOpen, withBreaker } from './resilience/guarded-upstream.ts'
import { SwitchingCall } from './resilience/switching-call.ts'
import { withSchemaSent } from './schema-in-prompt.ts'
import type { Upstream } from './upstream.ts'

/** Makes a configured upstream, with its retries and its circuit breaker. */
export function createConfigured(config: UpstreamConfig, ports: UpstreamPorts = {}): Upstream {
  return create(config.maker, config.record, config.record.settings(config), ports)
}

/** Makes an upstream of a built-in kind from its settings. */
export async function createUpstream(settings: UpstreamSettings, ports: UpstreamPorts = {}): Promise<Upstream> {
  const kind = upstreamKinds.find(({ name }) => name === settings.kind)
  if (kind === undefined) {
    const names = upstreamKinds.map(({ name }) => name)
    throw new ConfigurationError([{ path: ['kind'], message: unknownName('kind of upstream', String(settings.kind), names) }])
  }
  return create(await kind.load(), kind, settings, ports)
}

/** Choices are retried separately where each is a separate call. */
function create(
  maker: UpstreamMaker,
  { traits }: { readonly traits: UpstreamTraits },
  settings: UpstreamSettings,
  ports: UpstreamPorts,
): Upstream {
  const { name, retry, breaker } = settings
  const { onBreaker, onFailure } = ports
  const plain = withSchemaSent(maker.create(settings, ports))
  const onChange = onBreaker === undefined ? {} : { onChange: (state: BreakerState) => onBreaker(name, state) }
  const gate = breaker === false ? alwaysOpen : createBreaker(breaker, { ...ports, ...onChange })
  const guarded = withBreaker(plain, gate, (failure) => onFailure?.(name, failure))
  const patient = withRetries(guarded, retry, ports)
  return traits.countsChoices ? patient : fanOut(patient)
}

/**
 * Retries failed calls while nothing of an answer has arrived; not after a timeout, where fail-over
 * takes over.
 */
export function withRetries(upstream: Upstream, settings: RetrySettings = {}, ports: RetryPorts = {}): Upstream {
  if ((settings.retries ?? 0) > 10) throw new ConfigurationError([{ path: ['retries'], message: 'must be at most 10' }])
  const patience = retryRules({ repeatTimeouts: false, ...settings }, ports)
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
