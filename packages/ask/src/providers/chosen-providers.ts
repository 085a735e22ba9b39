import { unknownName } from '@stickler/core'
import type { AskProvider } from '../ports.ts'
import type { AskRequest } from '../question/request.ts'
import type { AskRefused } from '../reply/reply.ts'

/** The providers with the requested name and model, each with that model and its price. */
export function chosenProviders({ provider, model }: AskRequest, all: readonly AskProvider[]): readonly AskProvider[] | AskRefused {
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
  return { ok: false, status: 400, error: 'model: is required, because the provider has no default model', param: 'model' }
}

/**
 * The names of a list such as `groq, openai`, in order; a list without names matches no provider.
 */
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
