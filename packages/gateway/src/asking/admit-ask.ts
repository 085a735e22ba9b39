import { type AskRequest, askContract, isPiped, readCostLimits } from '@stickler/ask'
import { dearest } from '../enforcement/dearest.ts'
import { mostOfAsk } from '../enforcement/most-cost.ts'
import type { Reservation } from '../enforcement/reservation.ts'
import type { RouteDependencies } from '../routes/dependencies.ts'
import type { AskCaller } from './ask-caller.ts'
import { type AskTargets, pricesOf } from './ask-settings.ts'

/** Sets aside what a question can cost; throws an HttpError when the budget of the caller's key does not cover it. */
export async function admitAsk(
  { identity }: AskCaller,
  request: AskRequest,
  isStreamed: boolean,
  { targets, pipeline: configured, limits: written = {} }: AskTargets,
  { admit }: Pick<RouteDependencies, 'admit'>,
): Promise<Reservation | undefined> {
  return await admit(identity.key, () => {
    const limits = readCostLimits(written)
    const { question, sources } = request
    const pipeline = isPiped(request) ? configured : undefined
    const asked = {
      providers: targets.length,
      contract: pipeline?.dearest ?? askContract('strict', isStreamed, limits.timeMs),
      isStreamed,
      completion: limits.completionTokens,
      preparing: pipeline?.callsFor(request) ?? 0,
      // What will be retrieved is not known yet, but no call may have more.
      ...(sources === undefined ? { prompt: limits.promptTokens } : {}),
    }
    const places = [...targets, ...(pipeline?.helpers ?? [])]
    return { tokens: mostOfAsk({ question, sources }, asked), price: dearest(places.flatMap(pricesOf)) }
  })
}
