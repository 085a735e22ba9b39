import { contentText, isFields } from '@stickler/core/internal'
import { invokeHearing } from './hearing.ts'
import { likeMessage, type ModelMessage } from './message.ts'

/** The options of a call so that LangGraph leaves it out of `streamMode: 'messages'`, where text would be shown before it is judged. */
export function quietly(options: unknown, signal?: AbortSignal): object {
  const given = isFields(options) ? options : {}
  return { ...given, tags: [...(Array.isArray(given.tags) ? given.tags : []), 'nostream'], ...(signal && { signal }) }
}

type Methods = Readonly<Record<string, (...given: unknown[]) => unknown>>

/** The model itself: what is only configured by its name loses its options when tools are bound to it. */
export async function modelOf(given: unknown): Promise<unknown> {
  return isFields(given) && typeof given._getModelInstance === 'function' ? await given._getModelInstance() : given
}

/** The same model, whose tokens are not shown; a binding of it would have no profile, by which LangChain chooses how to ask for structured output. */
export function quiet(model: unknown): unknown {
  if (!isFields(model)) return model
  const inner = model as Methods
  const own = {
    invoke: (input: unknown, options: unknown) => invokeHearing(model, input, quietly(options)),
    // Each of them may return a new model.
    bindTools: (...given: unknown[]) => quiet(inner.bindTools?.(...given)),
    withConfig: (...given: unknown[]) => quiet(inner.withConfig?.(...given)),
  }
  return Object.create(
    model,
    Object.fromEntries(Object.entries(own).flatMap(([name, value]) => (name in model ? [[name, { value, enumerable: true }]] : []))),
  )
}

/** Shows a judged message to everything that listens to the agent, as an answer of the model; its usage was reported by the calls themselves. */
export async function show(given: unknown, message: ModelMessage): Promise<void> {
  let model = given
  while (isFields(model) && isFields(model.bound)) model = model.bound
  if (!isFields(model) || typeof model._generate !== 'function') return
  const { id, content, tool_calls, response_metadata } = message
  const shown = likeMessage(message, { ...(id !== undefined && { id }), content, tool_calls, response_metadata })
  const own = {
    disableStreaming: true,
    cache: undefined,
    _generate: async () => ({ generations: [{ text: contentText(content), message: shown }] }),
  }
  const speaker = Object.create(model, Object.fromEntries(Object.entries(own).map(([name, value]) => [name, { value, enumerable: true }])))
  await (speaker as Methods).invoke?.([], { runName: 'Stickler' })
}
