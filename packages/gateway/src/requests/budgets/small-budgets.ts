import { contract } from '@stickler/core'
import type { GatewayConfig, RouteConfig } from '../../config/resolved/gateway-config.ts'
import { targetPrices } from '../../config/resolved/targets.ts'
import { costliestContract } from '../../services/contracts/pipeline-contracts.ts'
import { type PipelineNeeds, pipelineCostBound } from '../pipeline/pipeline-cost-bound.ts'
import { fits, shown } from './budget-refusal.ts'
import { chatCostBound } from './cost-bound.ts'
import { highestPrice } from './highest-price.ts'
import { boundsOf, usualCompletion } from './key-budgets.ts'
import { amountsOf } from './reservation.ts'

/** A daily budget that cannot cover a request without a prompt and without a completion limit. */
export interface SmallBudget {
  readonly route: string
  readonly retries: number
  readonly completionTokens: number
  /** What such a request reserves, and the budget, for messages. */
  readonly needed: string
  readonly budget: string
  /** Whether only streamed requests need so much. */
  readonly onlyStreamed: boolean
}

/** The routes for which the budget per key is too small for any prompt. */
export function smallBudgets(config: GatewayConfig): SmallBudget[] {
  return config.routes.flatMap((route) => {
    const [whole, streamed] = [smallFor(route, config, false), smallFor(route, config, true)]
    return whole ?? streamed ?? []
  })
}

function smallFor(route: RouteConfig, config: GatewayConfig, isStreamed: boolean): SmallBudget | undefined {
  const { perKey } = config.server
  const bounds = boundsOf(perKey)
  const { pipeline } = route
  const held = (route.contracts ?? [route.contract]).flatMap((name) => config.contracts.get(name ?? '') ?? [])
  const named = pipeline === undefined ? held.sort((a, b) => b.policy.retries - a.policy.retries)[0] : costliestContract(pipeline)
  const rules = named ?? contract({ checks: [], mode: 'shadow' })
  const completionTokens = perKey.completionTokens ?? usualCompletion
  const answer = chatCostBound({ model: '', messages: [] }, { contract: rules, isStreamed }, completionTokens)
  const tokens = pipeline === undefined ? answer : pipelineCostBound(answer, needsOf(config.retrieval))
  const { most } = amountsOf(tokens, highestPrice(route.targets.flatMap((target) => targetPrices(target, config))))
  if (fits(most, bounds)) return undefined
  const part = most.tokens > (bounds.tokens ?? most.tokens) ? 'tokens' : 'nanoUsd'
  const amounts = { needed: shown(most[part], part), budget: shown(bounds[part] ?? 0, part) }
  return { route: route.model, retries: tokens.retries, completionTokens, ...amounts, onlyStreamed: isStreamed }
}

function needsOf(retrieval: GatewayConfig['retrieval']): PipelineNeeds {
  const { chunks = 0, classifier, reformulation, relevance } = retrieval ?? {}
  return { chunks, helpers: { classifier, reformulation, relevance: relevance?.strategy === 'llm' ? relevance : undefined } }
}
