import { refusalRow } from '../audit/refusal-row.ts'
import type { AskProvider } from '../ports.ts'
import { prepareQuestion } from '../question/question.ts'
import { type AskRequest, requestFault } from '../question/request.ts'
import { type AskRefused, type AskReply, exhaustedReply, mayFailOver, unavailableReply } from '../reply/reply.ts'
import type { AskDependencies } from '../settings.ts'
import { chosenProviders } from './chosen-providers.ts'
import { leftReply } from './left.ts'
import { ProviderTurn } from './provider-turn.ts'

/** Puts a question to one provider after the other until one answers; yields the text that may be shown. */
export async function* runAsk(request: AskRequest, dependencies: AskDependencies, streaming: boolean): AsyncGenerator<string, AskReply> {
  const providers = wanted(request, dependencies)
  if ('error' in providers) return await refused(request, providers, dependencies)
  const question = await prepareQuestion(request, dependencies.limits, dependencies.clock)
  let shown = false
  if (providers.length === 0) return await refused(request, { ok: false, status: 502, error: 'no provider is configured' }, dependencies)
  const failed: { readonly label: string; readonly reply: AskRefused }[] = []
  for (const provider of providers) {
    const reply = yield* watched(new ProviderTurn(question, provider, dependencies).take(streaming), () => {
      shown = true
    })
    // What has been shown cannot be taken back, so nobody else may begin anew.
    if (reply.ok || shown || reply.failure === undefined || !mayFailOver(reply.failure)) return reply
    failed.push({ label: labelOf(provider), reply })
  }
  return exhaustedReply(failed, failed.at(-1)?.reply as AskRefused)
}

/** Why a question is put to nobody. */
export function refusalOf(request: AskRequest, dependencies: AskDependencies): AskRefused | undefined {
  const providers = wanted(request, dependencies)
  return 'error' in providers ? providers : undefined
}

function wanted(request: AskRequest, { limits, providers }: AskDependencies): readonly AskProvider[] | AskRefused {
  return requestFault(request, limits) ?? chosenProviders(request, providers)
}

function labelOf({ name, alias = name }: AskProvider): string {
  return alias === name ? name : `${alias} (${name})`
}

async function* watched(turn: AsyncGenerator<string, AskReply>, onText: () => void): AsyncGenerator<string, AskReply> {
  let reply: AskReply | undefined
  try {
    for (;;) {
      const step = await turn.next()
      if (step.done) {
        reply = step.value
        return reply
      }
      onText()
      yield step.value
    }
  } finally {
    // Whoever leaves the stream ends the call of the model too.
    if (reply === undefined) await turn.return(leftReply)
  }
}

/** A question that is put to nobody is audited all the same. */
async function refused(request: AskRequest, reply: AskRefused, { audit, today, keep }: AskDependencies): Promise<AskRefused> {
  const { tenant, user, role } = request
  const { limit } = reply
  const failure = { kind: limit === undefined ? 'request' : 'limit', detail: reply.error }
  try {
    await audit.write(await refusalRow({ body: request, tenant, user, role, limit, failure, ts: today() }, keep))
  } catch (error) {
    return unavailableReply(error, 'the audit could not be written')
  }
  return reply
}
