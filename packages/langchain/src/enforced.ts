import { ConfigurationError } from '@stickler/core'
import { isFields, type Terms } from '@stickler/core/internal'
import { enforcedChain, enforcedInvoke } from './enforced-chain.ts'
import { enforcedModel } from './enforced-model.ts'
import { overlay, ownerOf } from './overlay.ts'
import type { Scope } from './scope.ts'

/** Methods of LangChain's base class for all runnables, which lead to `invoke` in the end; classes below it have ways of their own. */
export const entries = [
  ...['batch', 'stream', 'transform', 'streamEvents', 'streamV2', 'streamLog', 'pipe', 'pick', 'assign', 'asTool', 'withRetry'],
  ...['withListeners', '_streamIterator', '_streamLog', '_streamEventsV1', '_streamEventsV2'],
]

const known = new WeakSet<object>()

/** The same model, binding or chain of LangChain, but everything that it answers keeps the contract. */
export function enforcedLike(given: unknown, terms: Terms, scope: Scope): object {
  if (!isFields(given) || typeof given.invoke !== 'function')
    throw new ConfigurationError([{ message: 'pass a chat model of LangChain, such as `new ChatOpenAI(…)`', path: ['model'] }])
  const made = enforcedAs(given, terms, scope)
  const withFallbacks = (fallbacks: unknown): unknown => {
    const list: readonly unknown[] = Array.isArray(fallbacks) ? fallbacks : (fallbacks as { fallbacks: unknown[] }).fallbacks
    // What they answer in its place is an answer of this model too.
    const enforced = list.map((one) => (isFields(one) && known.has(one) ? one : enforcedLike(one, terms, scope)))
    return (ownerOf(given, 'withFallbacks') as { withFallbacks(these: unknown): unknown }).withFallbacks.call(self, enforced)
  }
  const self = typeof given.withFallbacks === 'function' ? overlay(made, { withFallbacks }) : made
  known.add(self)
  return self
}

function enforcedAs(given: object, terms: Terms, scope: Scope): object {
  const [model, runnable] = [ownerOf(given, '_generateUncached'), ownerOf(given, '_callWithConfig')]
  if (model !== undefined) return enforcedModel(given, model, terms, scope)
  if (runnable === undefined) return enforcedInvoke(given, terms, scope)
  // A binding does nothing but call what is bound.
  return 'bound' in given ? overlay(given, { bound: enforcedLike(given.bound, terms, scope) }) : enforcedChain(given, runnable, terms, scope)
}
