import { ConfigurationError, unknownName } from '@stickler/core'
import { type BreakerState, createBreaker } from '@stickler/core/services'
import { fanOut, withSchemaSent } from './adapted-upstream.ts'
import { upstreamKinds } from './kinds/index.ts'
import type { UpstreamConfig, UpstreamMaker, UpstreamPorts, UpstreamSettings, UpstreamTraits } from './kinds/upstream-kind.ts'
import { resilient } from './resilience/resilient.ts'
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
  const circuit = breaker === false ? undefined : createBreaker(breaker, { ...ports, ...onChange })
  const patient = resilient(plain, { retry, breaker: circuit, tell: (failure) => onFailure?.(name, failure) }, ports)
  return traits.countsChoices ? patient : fanOut(patient)
}
