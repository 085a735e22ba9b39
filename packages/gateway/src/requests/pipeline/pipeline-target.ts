import type { Prepared, RelevanceJudge } from '@stickler/ask/internal'
import { type PipelineRequest, preparePipeline, relevanceJudge } from '@stickler/ask/pipeline'
import type { Clock, Contract } from '@stickler/core'
import { defined } from '@stickler/core/internal'
import type { AskModel } from '@stickler/core/validators'
import type { ModelChoice } from '../../config/resolved/resolve-retrieval.ts'
import { askedModel, targetPrices } from '../../config/resolved/targets.ts'
import { contractNameOf, dearestContract, definitionOf } from '../../services/contracts/pipeline-contracts.ts'
import type { Retrieving } from '../../services/retrieving/retrieving.ts'
import { dearest } from '../budgets/highest-price.ts'
import { type Parts, upstreamOf } from '../parts.ts'
import type { HeldContract } from './bound-contract.ts'
import type { HelperModel, HelperModels, PaidCalls } from './helper-calls.ts'

/** What a route with a pipeline does before its model is called. */
export interface PipelineTarget {
  readonly name: string
  /** Maximum passages per query. */
  readonly chunks: number
  readonly helpers: HelperModels
  /** Of the contracts that may hold, the one that allows the most. */
  readonly dearest: Contract
  /** Classifies a query and retrieves its passages; helper calls are counted in `calls`. */
  prepare(request: PipelineRequest, calls: Pick<PaidCalls, 'of'>): Promise<Prepared>
  /** The contract of a prepared query, and what its checks need. */
  targetOf(prepared: Pick<Prepared, 'type' | 'contract'>): HeldContract
}

/** What the pipeline of a route is made with. */
export interface PipelineTargetParts {
  readonly retrieving: Retrieving
  readonly helpers: HelperModels
  readonly clock: Clock
  /** Most milliseconds of one step. */
  readonly timeoutMs: number
  /** Resolves what the checks of a contract need. */
  readonly bind: (contract: Contract, name: string) => HeldContract
}

/** Makes the pipeline of a route; its name is already checked. */
export function createPipelineTarget(name: string, { retrieving, helpers, clock, timeoutMs, bind }: PipelineTargetParts): PipelineTarget {
  const { retriever, settings } = retrieving
  const pipeline = definitionOf(name)
  const prepare = preparePipeline({ pipeline, retriever, chunks: settings.chunks, clock, timeoutMs })
  const bound = new Map<Contract, HeldContract>()
  return {
    name,
    chunks: settings.chunks,
    helpers,
    dearest: dearestContract(name),
    async prepare(request, calls) {
      const classifier = calls.of(helpers.classifier)
      const reformulation = calls.of(helpers.reformulation)
      const relevance = await judgeOf(retrieving, calls.of(helpers.relevance))
      return prepare({ ...request, relevance, ...(classifier && { classifier }), ...(reformulation && { reformulation }) })
    },
    targetOf({ type, contract }) {
      const made = bound.get(contract) ?? bind(contract, contractNameOf(name, type))
      bound.set(contract, made)
      return made
    },
  }
}

async function judgeOf({ settings, embedder }: Retrieving, model: AskModel | undefined): Promise<RelevanceJudge> {
  const { strategy } = settings.relevance
  const threshold = 'threshold' in settings.relevance ? settings.relevance.threshold : undefined
  // An index that cannot be opened is reported when it is searched.
  const vectors = strategy === 'embedding' ? await embedder().catch(() => undefined) : undefined
  return relevanceJudge({ strategy, threshold, embedder: vectors, model })
}

/** Most milliseconds of one step of a pipeline. */
const usualStepMs = 10_000

/** The pipeline of this name; undefined without an index to search. */
export function pipelineOf(name: string, bind: PipelineTargetParts['bind'], parts: Parts): { readonly pipeline?: PipelineTarget } {
  const { config, retrieving, clock } = parts
  if (retrieving === undefined) return {}
  const timeoutMs = Math.min(usualStepMs, config.server.deadline)
  return { pipeline: createPipelineTarget(name, { retrieving, helpers: helpersOf(parts), clock, timeoutMs, bind }) }
}

/** The models that pipelines call before they generate. */
function helpersOf(parts: Parts): HelperModels {
  const { classifier, reformulation, relevance } = parts.config.retrieval ?? {}
  return defined({
    classifier: helper(classifier, parts),
    reformulation: helper(reformulation, parts),
    relevance: helper(relevance?.strategy === 'llm' ? relevance : undefined, parts),
  })
}

function helper(choice: ModelChoice | undefined, parts: Parts): HelperModel | undefined {
  if (choice === undefined) return undefined
  const { config } = parts
  const written = config.upstreams.find(({ name }) => name === choice.upstream)
  const model = choice.model ?? askedModel(written, choice.upstream)
  return {
    upstream: upstreamOf(parts, choice.upstream),
    model,
    price: dearest(targetPrices({ upstream: choice.upstream, model }, config)),
  }
}
