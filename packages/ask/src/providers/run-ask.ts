import { unknownName } from '@stickler/core'
import { refusalRow } from '../audit/refusal-row.ts'
import type { AskProvider } from '../ports.ts'
import { prepareQuestion } from '../question/question.ts'
import { type AskRequest, requestFault } from '../question/request.ts'
import { type AskRefused, type AskReply, exhaustedReply, mayFailOver, unavailableReply } from '../reply/reply.ts'
import type { AskDependencies } from '../settings.ts'
import { leftReply } from './left.ts'
import { ProviderTurn } from './provider-turn.ts'

/** Puts a question to one provider after the other until one answers; yields the text that may be shown. */
export async function* runAsk(request: AskRequest, dependencies: AskDependencies, streaming: boolean): AsyncGenerator<string, AskReply> {
  const providers = requestFault(request, dependencies.limits) ?? chosen(request, dependencies.providers)
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

/** The providers that have the wanted name and model, each with that model and its price. */
function chosen({ provider, model }: AskRequest, all: readonly AskProvider[]): readonly AskProvider[] | AskRefused {
  const wanted = namesIn(provider)
  const has = ({ name, alias }: AskProvider, one: string): boolean => name === one || alias === one
  const stranger = wanted.find((one) => !all.some((known) => has(known, one)))
  if (stranger !== undefined) {
    return unknown(
      'provider',
      stranger,
      all.flatMap(({ name, alias = name }) => [alias, name]),
    )
  }
  const named = wanted.length === 0 ? all : [...new Set(wanted.flatMap((one) => all.filter((known) => has(known, one))))]
  const able = named.flatMap((one) => withModel(one, model))
  if (able.length > 0 || named.length === 0) return able
  const models = named.flatMap((one) => [...(one.model === '' ? [] : [one.model]), ...(one.models?.keys() ?? [])])
  if (model !== undefined) return unknown('model', model, models)
  return { ok: false, status: 400, error: 'model: must be named, because the provider has none of its own', param: 'model' }
}

/** The names of a list such as `groq, openai`, in their order; a list without names wishes for nobody. */
function namesIn(list = ''): string[] {
  return list.split(',').flatMap((name) => name.trim() || [])
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
