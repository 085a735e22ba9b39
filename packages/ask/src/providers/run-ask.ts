import { unknownName } from '@stickler/core'
import { refusalRow } from '../audit/refusal-row.ts'
import type { AskProvider } from '../ports.ts'
import { prepareQuestion } from '../question/question.ts'
import { type AskRequest, requestFault } from '../question/request.ts'
import { type AskRefused, type AskReply, mayFailOver } from '../reply/reply.ts'
import type { AskDependencies } from '../settings.ts'
import { leftReply } from './left.ts'
import { ProviderTurn } from './provider-turn.ts'

/** Puts a question to one provider after the other until one answers; yields the text that may be shown. */
export async function* runAsk(request: AskRequest, dependencies: AskDependencies, streaming: boolean): AsyncGenerator<string, AskReply> {
  const providers = requestFault(request, dependencies.limits) ?? chosen(request, dependencies.providers)
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
  const { tenant, user, role } = request
  const { limit } = reply
  const failure = { kind: limit === undefined ? 'request' : 'limit', detail: reply.error }
  await audit.write(await refusalRow({ body: request, tenant, user, role, limit, failure, ts: today() }, keep))
  return reply
}

/** The providers that have the wanted name and model, each with that model and its price. */
function chosen({ provider, model }: AskRequest, all: readonly AskProvider[]): readonly AskProvider[] | AskRefused {
  const named = provider === undefined ? all : all.filter(({ name, alias }) => name === provider || alias === provider)
  if (named.length === 0 && provider !== undefined) {
    return unknown(
      'provider',
      provider,
      all.flatMap(({ name, alias = name }) => [alias, name]),
    )
  }
  const able = named.flatMap((one) => withModel(one, model))
  if (able.length > 0 || named.length === 0) return able
  const models = named.flatMap((one) => [...(one.model === '' ? [] : [one.model]), ...(one.models?.keys() ?? [])])
  if (model !== undefined) return unknown('model', model, models)
  return { ok: false, status: 400, error: 'model: must be named, because the provider has none of its own', param: 'model' }
}

function withModel(provider: AskProvider, model = provider.model): AskProvider[] {
  if (model === '') return []
  if (model === provider.model) return [provider]
  const { models, price: _price, ...rest } = provider
  // A price for one model says nothing about another.
  if (models === undefined) return provider.price === undefined ? [{ ...rest, model }] : []
  const price = models.get(model)
  return price === undefined ? [] : [{ ...rest, model, price }]
}

function unknown(param: 'provider' | 'model', name: string, known: readonly string[]): AskRefused {
  return { ok: false, status: 400, error: unknownName(param, name, [...new Set(known)]), param }
}
