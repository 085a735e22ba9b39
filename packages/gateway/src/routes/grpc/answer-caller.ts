import { type AskReply, type AskRequest, leftReply } from '@stickler/ask'
import { askStore } from '../../records/store/ask-store.ts'
import type { RouteDependencies } from '../../requests/request-ports.ts'
import { auditRefusal } from '../ask/ask-refusals.ts'
import type { AskTargets } from '../ask/ask-settings.ts'
import { type AskCaller, Question } from '../ask/question.ts'

/**
 * Answers a question over gRPC: admitted, recorded and audited as over HTTP; yields the released
 * text when streaming. Throws an HttpError when it is not admitted or a store does not respond.
 */
export async function* answerCaller(
  caller: AskCaller,
  request: AskRequest,
  streaming: boolean,
  settings: AskTargets,
  dependencies: RouteDependencies,
): AsyncGenerator<string, AskReply> {
  const question = new Question(caller, request, settings, dependencies, 'grpc')
  const end = settings.begin?.()
  try {
    const steps = (await question.open(streaming)).answer(streaming)
    try {
      for (;;) {
        const step = await steps.next()
        if (step.done) return step.value
        if (typeof step.value === 'string') yield step.value
      }
    } finally {
      // Also when the caller stops reading.
      await steps.return(leftReply)
      await question.close()
    }
  } catch (thrown) {
    if (!question.isAudited) await auditRefusal(caller, { ...request }, thrown, { ...settings, today: dependencies.today })
    return await askStore(Promise.reject(thrown))
  } finally {
    end?.()
  }
}
