import type { Contract } from '@stickler/core'
import { type EnforcedOptions, readTerms } from '@stickler/core/internal'
import { generate } from './generate.ts'
import type { Model, Params } from './model.ts'
import { stream } from './stream.ts'

/** A middleware for `wrapLanguageModel` and `wrapProvider`, in `ai` 6 and 7. */
export interface ContractMiddleware {
  readonly specificationVersion: 'v3'
  /** Called in place of the model's `doGenerate`. */
  wrapGenerate<Result>(call: { doGenerate(): PromiseLike<Result>; readonly params: object; readonly model: object }): Promise<Result>
  /** Called in place of the model's `doStream`. */
  wrapStream<Result>(call: { doStream(): PromiseLike<Result>; readonly params: object; readonly model: object }): Promise<Result>
}

/** Makes a middleware of a contract, for models that are wrapped in several; put it first, so that it sees what the others make of an answer. */
export function middleware(contract: Contract, options: EnforcedOptions = {}): ContractMiddleware {
  const terms = readTerms(contract, options)
  return {
    specificationVersion: 'v3',
    // Called anew for each attempt: `doGenerate` of the call would repeat the same prompt.
    wrapGenerate: async ({ model, params }) => (await generate(model as Model, params as Params, terms)) as never,
    wrapStream: async ({ model, params }) => (await stream(model as Model, params as Params, terms)) as never,
  }
}
