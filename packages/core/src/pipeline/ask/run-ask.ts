import { unknownName } from '../../contract/configuration-error.ts'
import { auditRow } from './audit-row.ts'
import { leftReply } from './left.ts'
import type { AskProvider } from './ports.ts'
import { ProviderTurn } from './provider-turn.ts'
import { prepareQuestion } from './question.ts'
import { type AskRefused, type AskReply, mayFailOver } from './reply.ts'
import { type AskRequest, requestFault } from './request.ts'
import type { AskDependencies } from './settings.ts'

/** Puts a question to one provider after the other until one answers; yields the text that may be shown. */
export async function* runAsk(request: AskRequest, dependencies: AskDependencies, streaming: boolean): AsyncGenerator<string, AskReply> {
  const providers = requestFault(request) ?? chosen(request, dependencies.providers)
  if ('error' in providers) return await refused(request, providers, dependencies)
  const question = await prepareQuestion(request, dependencies.limits, dependencies.clock)
  let shown = false
  let last: AskRefused = { ok: false, status: 502, error: 'no provider is configured' }
  if (providers.length === 0) return await refused(request, last, dependencies)
  for (const provider of providers) {
    const reply = yield* watched(new ProviderTurn(question, provider, dependencies).take(streaming), () => {
      shown = true
    })
    // What has been shown cannot be taken back, so nobody else may begin anew.
    if (reply.ok || shown || reply.failure === undefined || !mayFailOver(reply.failure)) return reply
    last = reply
  }
  return last
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
  const { question, sources, tenant, user, role, strict } = request
  const urns = Array.isArray(sources) ? sources.map((source) => String(source?.urn)) : []
  const none = { cacheHit: false, citations: [], completionTokens: 0, promptTokens: 0, retryCount: 0, errors: [] }
  const known = {
    mode: strict === false ? 'lenient' : 'strict',
    question: String(question),
    sourcesUrns: urns,
    tenant,
    user,
    role,
  } as const
  const failure = { kind: 'request', detail: reply.error }
  await audit.write(await auditRow({ ...none, ...known, status: 'refused', failure, ts: today() }, keep))
  return reply
}

function chosen({ provider }: AskRequest, all: readonly AskProvider[]): readonly AskProvider[] | AskRefused {
  if (provider === undefined) return all
  const found = all.filter(({ name, alias }) => name === provider || alias === provider)
  const names = [...new Set(all.flatMap(({ name, alias = name }) => [alias, name]))]
  return found.length > 0 ? found : { ok: false, status: 400, error: unknownName('provider', provider, names), param: 'provider' }
}
