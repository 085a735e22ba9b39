import type { AskPipeline, AskRefused } from '@stickler/ask'
import { askContract, isPiped } from '@stickler/ask/internal'
import type { Contract } from '@stickler/core'
import { defined, type Executor, unknownName } from '@stickler/core/internal'
import type { Price } from '@stickler/core/internal/apis'
import { type AuditRow, type CacheSettings, type Capabilities, type CostLimits, capabilitiesOf } from '@stickler/presets/internal'
import { askedModel } from '../../config/resolved/targets.ts'
import type { CalledPlace } from '../../records/run/run-facts.ts'
import type { AnswerCache } from '../../records/store/keyed-entries.ts'
import { askCostBound, type CostBound } from '../../requests/budgets/cost-bound.ts'
import { dearest } from '../../requests/budgets/highest-price.ts'
import type { MostAsked } from '../../requests/budgets/key-budgets.ts'
import { placesOf } from '../../requests/build-target.ts'
import { type Parts, upstreamOf } from '../../requests/parts.ts'
import type { HeldContract } from '../../requests/pipeline/bound-contract.ts'
import { pipelineCostBound } from '../../requests/pipeline/pipeline-cost-bound.ts'
import { type PipelineTarget, pipelineOf } from '../../requests/pipeline/pipeline-target.ts'
import type { Upstream } from '../../upstreams/upstream.ts'
import type { ReadRequest } from './read-request.ts'

/** An upstream that may answer questions. */
export interface AskTarget {
  /** Its name in replies, such as `openai`. */
  readonly name: string
  /** Its unique name: a question may choose by both. */
  readonly alias: string
  readonly model: string
  /** Additional models that a question may name, each with its price; other names are rejected. */
  readonly models: ReadonlyMap<string, Price>
  readonly price?: Price
  readonly upstream: Upstream
  readonly capabilities: Capabilities
}

/** The pipeline of questions. */
export interface AskTargetPipeline
  extends Pick<PipelineTarget, 'name' | 'chunks' | 'helpers' | 'dearest' | 'prepare'>,
    Omit<AskPipeline, 'prepare'> {}

/** Where rows of questions are written, before the reply, and which texts they store. */
export interface AuditPorts {
  audit(row: AuditRow): Promise<void>
  readonly keep: { readonly answer?: boolean; readonly question?: boolean }
}

/** How questions are answered as the configuration says. */
export interface ConfiguredAsk {
  readonly targets: readonly AskTarget[]
  /** Where calls go, in the order of the targets. */
  readonly places?: readonly CalledPlace[]
  readonly limits: CostLimits
  readonly caching: CacheSettings
  readonly keep: AuditPorts['keep']
  /** Checks large answers elsewhere. */
  readonly executor?: Executor
  readonly pipeline?: AskTargetPipeline
}

/** The current settings for questions. */
export interface AskTargets extends ConfiguredAsk, AuditPorts {
  readonly answers: AnswerCache
  /** Notes a question that uses these settings; the function returned is called when it is over. */
  begin?(): () => void
}

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
    limits,
    caching: { enabled: cache.enabled, defaultTtlSeconds: cache.ttl },
    keep: audit,
    executor: parts.judging.executor({}, false),
    ...askPipeline(ask.pipeline, parts),
  }
}

function targetOf(name: string, parts: Parts): AskTarget {
  const written = parts.config.upstreams.find((one) => one.name === name)
  const { provider = name, providerName = name, capabilities = {}, price } = written ?? {}
  const { citations, streaming } = capabilities
  return {
    name: providerName,
    alias: name,
    model: askedModel(written, name),
    models: written?.models ?? new Map(),
    upstream: upstreamOf(parts, name),
    capabilities: { ...capabilitiesOf(provider), ...defined({ citations, streaming }) },
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

/** The price of each model that a target may use. */
function pricesOf({ price, models }: Pick<AskTarget, 'price' | 'models'>): Price[] {
  return [...(price === undefined ? [] : [price]), ...models.values()]
}

/** The targets with the requested name and model, each with that model and its price. */
export function chosenTargets(
  { provider, model }: Pick<ReadRequest, 'provider' | 'model'>,
  all: readonly AskTarget[],
): readonly AskTarget[] | AskRefused {
  const wanted = (provider ?? '').split(',').flatMap((name) => name.trim() || [])
  const named = (one: string): AskTarget[] => all.filter(({ name, alias }) => name === one || alias === one)
  const stranger = wanted.find((one) => named(one).length === 0)
  if (stranger !== undefined) {
    return unknown(
      'provider',
      stranger,
      all.flatMap(({ name, alias }) => [alias, name]),
    )
  }
  const chosen = wanted.length === 0 ? all : [...new Set(wanted.flatMap(named))]
  const able = chosen.flatMap((one) => withModel(one, model))
  if (able.length > 0) return able
  const models = chosen.flatMap((one) => [...(one.model === '' ? [] : [one.model]), ...one.models.keys()])
  if (model !== undefined) return unknown('model', model, models)
  return { ok: false, status: 400, error: 'model: is required, because the provider has no default model', param: 'model' }
}

function withModel(target: AskTarget, model = target.model): AskTarget[] {
  if (model === '') return []
  if (model === target.model) return [target]
  const price = target.models.get(model)
  return price === undefined ? [] : [{ ...target, model, price }]
}

function unknown(param: 'provider' | 'model', name: string, known: readonly string[]): AskRefused {
  return { ok: false, status: 400, error: unknownName(param, name, [...new Set(known)]), param }
}

/** Neighbours that cite equally well: they can stand in for each other within one run. */
export type Chain = readonly [AskTarget, ...AskTarget[]]

/** The first chain of targets. */
export function chainOf(targets: readonly AskTarget[]): Chain | undefined {
  const [first] = targets
  if (first === undefined) return undefined
  const end = targets.findIndex(({ capabilities }) => capabilities.citations !== first.capabilities.citations)
  return [first, ...targets.slice(1, end < 0 ? undefined : end)]
}

/** The names of a target in replies. */
export function namesOf({ name, alias, model }: AskTarget): {
  readonly provider: string
  readonly upstream: string
  readonly model: string
} {
  return { provider: name, upstream: alias, model }
}

/** The most that a question can cost. */
export function questionCostBound(
  request: ReadRequest,
  isStreamed: boolean,
  { targets, pipeline: configured, limits }: AskTargets,
): ReturnType<MostAsked> {
  const { question, sources, history } = request
  const pipeline = isPiped(request) ? configured : undefined
  const asked = askCostBound(
    { question, sources, history },
    {
      providers: targets.length,
      contract: pipeline?.dearest ?? askContract('strict', isStreamed, limits.timeMs),
      isStreamed,
      completion: limits.completionTokens,
    },
  )
  const helpers = Object.values(pipeline?.helpers ?? {}).flatMap(({ price }) => (price === undefined ? [] : [price]))
  return {
    tokens: pipeline === undefined ? asked : prepared(asked, request, pipeline),
    price: dearest([...targets.flatMap(pricesOf), ...helpers]),
  }
}

/** Including retrieval and helper calls; 0 where the request already settles them. */
function prepared(most: CostBound, { type, sources }: ReadRequest, { chunks, helpers }: AskTargetPipeline): CostBound {
  const { classifier, ...others } = helpers
  const retrieves = sources === undefined && type !== 'CONVERSATIONAL' && type !== 'PLATFORM'
  const classifies = type === undefined && classifier !== undefined ? { classifier } : {}
  return retrieves ? pipelineCostBound(most, { chunks, helpers: { ...others, ...classifies } }) : most
}
