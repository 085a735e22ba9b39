import { defined } from '@stickler/core/internal'
import type { ModelChoice } from '../../config/resolved/resolve-retrieval.ts'
import { askedModel, targetPrices } from '../../config/resolved/targets.ts'
import { dearest } from '../budgets/highest-price.ts'
import { type Parts, upstreamOf } from '../parts.ts'
import type { HelperModel, HelperModels } from './helper-calls.ts'
import { createPipelineTarget, type PipelineTarget, type PipelineTargetParts } from './pipeline-target.ts'

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
