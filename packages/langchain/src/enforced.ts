import { ConfigurationError } from '@stickler/core'
import { isFields, type Terms } from '@stickler/core/internal'
import { enforcedChain, enforcedInvoke } from './enforced-chain.ts'
import { enforcedModel } from './enforced-model.ts'
import { overlay, ownerOf } from './overlay.ts'
import type { Scope } from './scope.ts'

type Methods = Readonly<Record<string, (...given: unknown[]) => unknown>>

const known = new WeakSet<object>()

/** The same model, binding or chain of LangChain, but everything that it answers keeps the contract. */
export function enforcedLike(given: unknown, terms: Terms, scope: Scope): object {
  if (!isFields(given) || typeof given.invoke !== 'function')
    throw new ConfigurationError([{ message: 'pass a chat model of LangChain, such as `new ChatOpenAI(…)`', path: ['model'] }])
  const made = enforcedAs(given, terms, scope)
  known.add(made)
  return made
}

function enforcedAs(given: object, terms: Terms, scope: Scope): object {
  const [model, runnable] = [ownerOf(given, '_generateUncached'), ownerOf(given, '_callWithConfig')]
  if (runnable === undefined) return enforcedInvoke(given, terms, scope)
  const fallbacks = { withFallbacks: withEnforced(runnable, terms, scope) }
  if (model !== undefined) return overlay(enforcedModel(given, model, terms, scope), { ...fallbacks, ...makers(given, terms, scope) })
  // A binding does nothing but call what is bound.
  if ('bound' in given) return overlay(given, { ...fallbacks, bound: enforcedLike(given.bound, terms, scope) })
  return overlay(enforcedChain(given, runnable, terms, scope), fallbacks)
}

/** What makes another model of a model: of the one below, or it would be judged twice. */
function makers(model: object, terms: Terms, scope: Scope): Record<string, unknown> {
  const inner = model as Methods
  return {
    withConfig: (config: object) => enforcedLike(inner.withConfig?.(config), terms, scope),
    ...(typeof inner.bindTools === 'function' && {
      bindTools: (tools: readonly unknown[], ...rest: unknown[]) =>
        enforcedLike(inner.bindTools?.(tools, ...rest), terms, { ...scope, tools }),
    }),
    // As a function of its own it would be that of the model below, whatever it is called on.
    ...(Object.hasOwn(model, 'withStructuredOutput') && {
      withStructuredOutput: (...how: unknown[]) => enforcedLike(inner.withStructuredOutput?.(...how), terms, scope),
    }),
  }
}

/** `withFallbacks` whose fallbacks keep the contract too: what they answer is an answer of this model. */
function withEnforced(base: object, terms: Terms, scope: Scope): (given: unknown) => unknown {
  return function (this: object, given) {
    const { fallbacks } = Array.isArray(given) ? { fallbacks: given } : (given as { readonly fallbacks: readonly unknown[] })
    const enforced = fallbacks.map((one: unknown) => (isFields(one) && known.has(one) ? one : enforcedLike(one, terms, scope)))
    return (base as Methods).withFallbacks?.call(this, enforced)
  }
}
