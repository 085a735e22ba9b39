import type { AskReply, AskRequest } from '@stickler/ask'
import type { RouteDependencies } from '../../enforcement/dependencies.ts'
import { askStore } from '../../records/store/ask-store.ts'
import { admitAsk } from './admit-ask.ts'
import type { AskCaller } from './ask-caller.ts'
import { auditRefusal, WatchedAudit } from './ask-refusals.ts'
import type { AskTargets } from './ask-settings.ts'
import { AskTurn } from './ask-turn.ts'

/**
 * Answers a question over any protocol: admitted, recorded and audited as over HTTP; yields the
 * released text when streaming. Throws an HttpError when it is not admitted or a store does not
 * respond.
 */
export async function* answerCaller(
  caller: AskCaller,
  request: AskRequest,
  { streaming }: { readonly streaming: boolean },
  settings: AskTargets,
  dependencies: RouteDependencies,
): AsyncGenerator<string, AskReply> {
  const audit = new WatchedAudit(settings.audit)
  const end = settings.begin?.()
  try {
    const watched = { ...settings, audit }
    const reservation = await admitAsk(caller, request, streaming, watched, dependencies)
    const turn = new AskTurn(caller, request, watched, dependencies, reservation)
    try {
      return streaming ? yield* turn.text() : await turn.whole()
    } finally {
      await turn.settle()
    }
  } catch (thrown) {
    if (!audit.isWritten) await auditRefusal(caller, { ...request }, thrown, { ...settings, today: dependencies.today })
    return await askStore(Promise.reject(thrown))
  } finally {
    end?.()
  }
}
