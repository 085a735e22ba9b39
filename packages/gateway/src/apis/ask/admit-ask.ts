import { type AskRequest, askContract, isPiped, readCostLimits } from '@stickler/ask'
import { dearest } from '../../enforcement/budgets/dearest.ts'
import { type MostTokens, mostOfAsk } from '../../enforcement/budgets/most-cost.ts'
import type { Reservation } from '../../enforcement/budgets/reservation.ts'
import type { RouteDependencies } from '../../enforcement/dependencies.ts'
import { mostOfPipeline } from '../../enforcement/preparing/most-of-pipeline.ts'
import type { AskCaller } from './ask-caller.ts'
import { type AskTargetPipeline, type AskTargets, pricesOf } from './ask-settings.ts'

/**
 * Reserves what a question can cost; throws an HttpError when the budget of the caller's key does
 * not cover it.
 */
export async function admitAsk(
  { identity }: AskCaller,
  request: AskRequest,
  isStreamed: boolean,
  { targets, pipeline: configured, limits: written = {} }: AskTargets,
  { admit }: Pick<RouteDependencies, 'admit'>,
): Promise<Reservation | undefined> {
  return await admit(identity.key, () => {
    const limits = readCostLimits(written)
    const { question, sources, history } = request
    const pipeline = isPiped(request) ? configured : undefined
    const asked = mostOfAsk(
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
  })
}

/** Including retrieval and helper calls; 0 where the request already settles them. */
function prepared(most: MostTokens, { type, sources }: AskRequest, { chunks, helpers }: AskTargetPipeline): MostTokens {
  const { classifier, ...others } = helpers
  const retrieves = sources === undefined && type !== 'CONVERSATIONAL' && type !== 'PLATFORM'
  const classifies = type === undefined && classifier !== undefined ? { classifier } : {}
  return retrieves ? mostOfPipeline(most, { chunks, helpers: { ...others, ...classifies } }) : most
}
