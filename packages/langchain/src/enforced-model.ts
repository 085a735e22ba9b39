import { contentText, isFields, type Terms } from '@stickler/core/internal'
import { enforcedLike, entries } from './enforced.ts'
import { invokeHearing } from './hearing.ts'
import { isCallBlock, likeMessage, type ModelMessage } from './message.ts'
import { methodsOf, overlay } from './overlay.ts'
import { run } from './run.ts'
import { formatsIn, offeredIn, type Scope } from './scope.ts'

type Methods = Readonly<Record<string, (...given: unknown[]) => unknown>>

/** Under which the options of a call travel along as the caller gave them. */
const given = Symbol('given')

/** What LangChain's base class calls for every answer that is not streamed. */
const viaGenerate = ['invoke', 'generate', 'generatePrompt', '_generateUncached', '_generateCached', '_streamChatModelEvents']

/**
 * A chat model whose answers keep the contract: LangChain's base class asks it in all ways, and everybody who listens hears the judged message.
 *
 * Methods of the base class are put above those of the model, which may call the provider by other ways.
 */
export function enforcedModel(model: object, base: object, terms: Terms, scope: Scope): object {
  const inner = model as Methods
  const judged = async (messages: readonly unknown[], options: Record<PropertyKey, unknown>): Promise<ModelMessage> => {
    const ask = (asked: readonly unknown[], signal: AbortSignal) => invokeHearing(model, asked, options[given], signal)
    const { toolChoice } = scope
    const signal = options.signal as AbortSignal | undefined
    const message = await run({ messages, tools: offeredIn(scope, options), formats: formatsIn(scope), toolChoice, signal, ask }, terms)
    scope.onJudged?.(message)
    return message as ModelMessage
  }
  const own: Record<string, unknown> = {
    ...methodsOf(base, [...entries, ...viaGenerate]),
    // Both would bring answers that were not judged.
    disableStreaming: true,
    cache: undefined,
    // The model below has already brought its message into the form that is asked for.
    outputVersion: 'v0',
    _separateRunnableConfigFromCallOptionsCompat: (options: object = {}) => {
      const [config, call] = inner._separateRunnableConfigFromCallOptionsCompat?.({ ...options, outputVersion: undefined }) as [object, object]
      return [config, { ...call, [given]: options }]
    },
    _generate: async (messages: readonly unknown[], options: object) => {
      const message = await judged(messages, options as Record<PropertyKey, unknown>)
      return { generations: [{ text: contentText(message.content), message }], llmOutput: {} }
    },
    _streamResponseChunks: async function* (messages: readonly unknown[], options: object) {
      const message = await judged(messages, options as Record<PropertyKey, unknown>)
      yield { text: contentText(message.content), message: asPiece(message) }
    },
    ...enforcedMakers(model, terms, scope),
  }
  const self = overlay(model, own)
  return self
}

/** What makes another model of a model: of the one below, or it would be judged twice. */
function enforcedMakers(model: object, terms: Terms, scope: Scope): Record<string, unknown> {
  const inner = model as Methods
  const isBindable = typeof inner.bindTools === 'function'
  return {
    withConfig: (config: object) => enforcedLike(inner.withConfig?.(config), terms, scope),
    ...(isBindable && {
      bindTools: (tools: readonly unknown[], ...rest: unknown[]) =>
        enforcedLike(inner.bindTools?.(tools, ...rest), terms, { ...scope, tools }),
    }),
    // As a function of its own it would be that of the model below, whatever it is called on.
    ...(Object.hasOwn(model, 'withStructuredOutput') && {
      withStructuredOutput: (...how: unknown[]) => enforcedLike(inner.withStructuredOutput?.(...how), terms, scope),
    }),
  }
}

/** A whole message as one piece of a stream: calls are read only from its chunks. */
function asPiece(message: ModelMessage): ModelMessage {
  const { id, content, tool_calls: calls = [], usage_metadata, response_metadata } = message
  const shown = Array.isArray(content) ? content.filter((block) => !isCallBlock(block)) : content
  const piece = likeMessage(message, { ...(id !== undefined && { id }), content: shown, usage_metadata, response_metadata })
  const chunks = calls.map(({ id: call, name, args }) => ({ type: 'tool_call_chunk', id: call, name, args: JSON.stringify(args) }))
  return Object.assign(piece, { tool_call_chunks: chunks, tool_calls: isFields(calls[0]) ? calls : [] })
}
