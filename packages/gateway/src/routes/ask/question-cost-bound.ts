import { type AskRequest, askContract, isPiped, readCostLimits } from '@stickler/ask'
import { askCostBound, type CostBound } from '../../requests/budgets/cost-bound.ts'
import { dearest } from '../../requests/budgets/dearest.ts'
import type { MostAsked } from '../../requests/budgets/key-budgets.ts'
import { pipelineCostBound } from '../../requests/pipeline/pipeline-cost-bound.ts'
import { type AskTargetPipeline, type AskTargets, pricesOf } from './ask-settings.ts'

/** The most that a question can cost. */
export function questionCostBound(
  request: AskRequest,
  isStreamed: boolean,
  { targets, pipeline: configured, limits: written = {} }: AskTargets,
): ReturnType<MostAsked> {
  const limits = readCostLimits(written)
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
function prepared(most: CostBound, { type, sources }: AskRequest, { chunks, helpers }: AskTargetPipeline): CostBound {
  const { classifier, ...others } = helpers
  const retrieves = sources === undefined && type !== 'CONVERSATIONAL' && type !== 'PLATFORM'
  const classifies = type === undefined && classifier !== undefined ? { classifier } : {}
  return retrieves ? pipelineCostBound(most, { chunks, helpers: { ...others, ...classifies } }) : most
}
