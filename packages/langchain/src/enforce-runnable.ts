import type { Contract } from '@stickler/core'
import { type EnforcedOptions, readTerms } from '@stickler/core/internal'
import { enforcedLike } from './enforced.ts'

/** A chat model of LangChain, what `bindTools` and `withConfig` make of one, or a chain, as far as a wrapper must know it. */
export interface RunnableLike {
  invoke(input: never, options?: never): Promise<unknown>
}

/** The same model or chain, but every answer of it keeps the contract, or an `UndeliveredError` says why not; a stream brings it in one piece. */
export function enforceRunnable<M extends RunnableLike>(model: M, contract: Contract, options: EnforcedOptions = {}): M {
  return enforcedLike(model, readTerms(contract, options), { tools: [] }) as M
}
