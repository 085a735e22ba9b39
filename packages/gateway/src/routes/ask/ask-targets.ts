import { capabilitiesOf } from '@stickler/ask/internal'
import type { Contract } from '@stickler/core'
import { askedModel } from '../../config/resolved/targets.ts'
import { placesOf } from '../../requests/build-target.ts'
import { type Parts, upstreamOf } from '../../requests/parts.ts'
import type { HeldContract } from '../../requests/pipeline/bound-contract.ts'
import { pipelineOf } from '../../requests/pipeline/build-pipeline.ts'
import { defined } from '../../upstreams/settings/defined.ts'
import type { AskTarget, AskTargets } from './ask-settings.ts'

/** How questions are answered as the configuration says. */
export type ConfiguredAsk = Pick<AskTargets, 'targets' | 'places' | 'limits' | 'caching' | 'keep' | 'executor' | 'pipeline'>

/** Makes the targets of questions; nothing when the configuration has no `ask`. */
export function askTargets(parts: Parts): ConfiguredAsk | undefined {
  const { ask } = parts.config
  if (ask === undefined) return undefined
  const { cache, limits, audit } = ask
  return {
    targets: ask.upstreams.map((name) => targetOf(name, parts)),
    places: placesOf(
      ask.upstreams.map((upstream) => ({ upstream })),
      parts.config,
    ),
    limits: defined(limits),
    caching: { enabled: cache.enabled, defaultTtlSeconds: cache.ttl },
    keep: audit,
    executor: parts.judging.executor({}, false),
    ...askPipeline(ask.pipeline, parts),
  }
}

function targetOf(name: string, parts: Parts): AskTarget {
  const written = parts.config.upstreams.find((one) => one.name === name)
  const { provider = name, providerName = name, capabilities = {}, price } = written ?? {}
  return {
    name: providerName,
    alias: name,
    model: askedModel(written, name),
    models: written?.models ?? new Map(),
    upstream: upstreamOf(parts, name),
    capabilities: capabilitiesOf(provider, { [provider]: defined(capabilities) }),
    ...(price === undefined ? {} : { price }),
  }
}

function askPipeline(name: string | undefined, parts: Parts): Pick<AskTargets, 'pipeline'> {
  if (name === undefined) return {}
  const held = { ports: { parser: parts.parsing.port }, executor: parts.judging.executor({ parser: true }, false) }
  const { pipeline } = pipelineOf(
    name,
    (contract: Contract, contractName: string): HeldContract => ({ contract, contractName, ...held }),
    parts,
  )
  return pipeline === undefined ? {} : { pipeline: { ...pipeline, ...held } }
}
