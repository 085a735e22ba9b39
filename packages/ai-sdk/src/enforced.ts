import { ConfigurationError, type Contract } from '@stickler/core'
import { type EnforcedOptions, isFields, readTerms } from '@stickler/core/internal'
import { generate } from './generate.ts'
import type { Model, ModelLike, Params } from './model.ts'
import { stream } from './stream.ts'

/** The same model, but every answer of it keeps the contract, or an `UndeliveredError` says why not. */
export function enforced<M extends ModelLike>(model: M, contract: Contract, options: EnforcedOptions = {}): M {
  requireModel(model)
  const terms = readTerms(contract, options)
  const inner = model as unknown as Model
  const own = (name: string): PropertyDescriptor => ({ enumerable: true, get: () => Reflect.get(model, name, model) })
  return Object.create(model, {
    ...Object.fromEntries(['specificationVersion', 'provider', 'modelId', 'supportedUrls'].map((name) => [name, own(name)])),
    doGenerate: { enumerable: true, value: (params: Params) => generate(inner, params, terms) },
    doStream: { enumerable: true, value: (params: Params) => stream(inner, params, terms) },
    // By its class a workflow would restore the model alone.
    constructor: { value: Object },
  })
}

function requireModel(given: unknown): void {
  if (isFields(given) && typeof given.doGenerate === 'function' && typeof given.doStream === 'function') return
  const message =
    typeof given === 'string'
      ? "pass a model and not its name, such as `gateway('…')` or `openai('…')`"
      : "pass a model of the AI SDK, such as `openai('…')`"
  throw new ConfigurationError([{ message, path: ['model'] }])
}
