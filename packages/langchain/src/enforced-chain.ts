import { isFields, type Terms } from '@stickler/core/internal'
import { messagesOf } from './conversation.ts'
import { entries } from './entries.ts'
import { invokeHearing } from './hearing.ts'
import { methodsOf, overlay } from './overlay.ts'
import { run } from './run.ts'
import { offeredIn, type Scope } from './scope.ts'

type Invoke = (input: unknown, options?: object) => Promise<unknown>

/** A chain whose result keeps the contract: a message, a text, or plain data. What was made in between is shown to nobody. */
export function enforcedChain(chain: object, base: object, terms: Terms, scope: Scope): object {
  const judged = judgedBy(chain, terms, scope)
  const { _callWithConfig: traced } = base as { _callWithConfig: (call: Invoke, input: unknown, options?: object) => Promise<unknown> }
  return overlay(chain, {
    ...methodsOf(base, [...entries, 'withConfig']),
    invoke(this: object, input: unknown, options?: object) {
      return traced.call(this, judged, input, options)
    },
  })
}

/** The only method of something that is no runnable of LangChain, but can be asked like one. */
export function enforcedInvoke(model: object, terms: Terms, scope: Scope): object {
  return { invoke: judgedBy(model, terms, scope) }
}

function judgedBy(chain: object, terms: Terms, scope: Scope): Invoke {
  return async (input, options = {}) => {
    const { signal: given } = options as { readonly signal?: AbortSignal }
    const isConversation = takesMessages(chain)
    const ask = (messages: readonly unknown[], signal: AbortSignal) =>
      invokeHearing(chain, isConversation ? messages : input, options, signal)
    const result = await run(
      { messages: isConversation ? messagesOf(input) : [], ...offeredIn(scope, chain, options), signal: given, ask },
      terms,
    )
    scope.onJudged?.(result)
    return result
  }
}

/** Whether something begins with a model, so that the feedback can be added to its messages; others are asked the same once more. */
function takesMessages(chain: object): boolean {
  let first: unknown = chain
  while (isFields(first) && (isFields(first.first) || isFields(first.bound))) first = first.first ?? first.bound
  return isFields(first) && (typeof first._generate === 'function' || first.lc_runnable !== true)
}
