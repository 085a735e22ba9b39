import { contentText, type Terms } from '@stickler/core/internal'
import { entries } from './entries.ts'
import { invokeHearing } from './hearing.ts'
import { isCallBlock, likeMessage, type ModelMessage } from './message.ts'
import { methodsOf, overlay } from './overlay.ts'
import { run } from './run.ts'
import { offeredIn, type Scope } from './scope.ts'

type Separate = (options: object) => readonly [config: object, call: object]

/** Under which the options of a call travel along as the caller gave them. */
const given = Symbol('given')

/** What LangChain's base class calls for every answer that is not streamed. */
const viaGenerate = ['invoke', 'generate', 'generatePrompt', '_generateUncached', '_generateCached']

/**
 * A chat model whose answers keep the contract: LangChain's base class asks it in all ways, and everybody who listens hears the judged message.
 *
 * Methods of the base class are put above those of the model, which may call the provider by other ways.
 */
export function enforcedModel(model: object, base: object, terms: Terms, scope: Scope): object {
  const { _separateRunnableConfigFromCallOptionsCompat: separate } = base as { _separateRunnableConfigFromCallOptionsCompat: Separate }
  const judged = async (messages: readonly unknown[], options: CallOptions): Promise<ModelMessage> => {
    const ask = (asked: readonly unknown[], signal: AbortSignal) => invokeHearing(model, asked, options[given], signal)
    const signal = options.signal as AbortSignal | undefined
    const message = await run({ messages, ...offeredIn(scope, model, options), signal, ask }, terms)
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
      const [config, call] = separate.call(model, { ...options, outputVersion: undefined })
      return [config, { ...call, [given]: options }]
    },
    _generate: async (messages: readonly unknown[], options: CallOptions, run?: RunListener) => {
      const message = await judged(messages, options)
      const generation = { text: contentText(message.content), message }
      await tell(run, { ...generation, message: asPiece(message) })
      return { generations: [generation], llmOutput: {} }
    },
    _streamResponseChunks: async function* (messages: readonly unknown[], options: CallOptions, run?: RunListener) {
      const message = asPiece(await judged(messages, options))
      const piece = { text: contentText(message.content), message }
      await tell(run, piece)
      yield piece
    },
    // Only here is a stream asked for; as one piece it is what listeners to streams hear.
    _streamIterator: (input: unknown, options?: object) => asStream('_streamIterator', {}, [input, options]),
    _streamChatModelEvents: (...asked: unknown[]) => asStream('_streamChatModelEvents', { _streamResponseChunks: inBlocks }, asked),
  }
  const self = overlay(model, own)
  const asStream = (name: string, others: object, asked: unknown[]): unknown =>
    (Reflect.get(base, name) as (...all: unknown[]) => unknown).apply(overlay(self, { disableStreaming: false, ...others }), asked)
  const inBlocks = async function* (...asked: unknown[]) {
    for await (const { text, message } of (own._streamResponseChunks as Pieces)(...asked)) yield { text, message: withCallBlocks(message) }
  }
  return self
}

type CallOptions = Readonly<Record<PropertyKey, unknown>>

/** What LangChain's base class gives a model to tell of its answer. */
interface RunListener {
  handleLLMNewToken(text: string, at: undefined, id: undefined, parent: undefined, tags: undefined, fields: object): Promise<void>
}

type Pieces = (...asked: unknown[]) => AsyncIterable<{ readonly text: string; readonly message: ModelMessage }>

async function tell(run: RunListener | undefined, chunk: { readonly text: string; readonly message: ModelMessage }): Promise<void> {
  await run?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk })
}

/** A whole message as one piece of a stream: calls are read only from its chunks. */
function asPiece(message: ModelMessage): ModelMessage {
  const { id, name, content, tool_calls = [], usage_metadata, response_metadata, additional_kwargs } = message
  const fields = { content, tool_calls, usage_metadata, response_metadata, additional_kwargs }
  const piece = likeMessage(message, { ...(id !== undefined && { id }), ...(name !== undefined && { name }), ...fields })
  const tool_call_chunks = tool_calls.map(({ id: call, name: tool, args }, index) => ({
    ...{ type: 'tool_call_chunk', id: call, name: tool, args: JSON.stringify(args), index },
  }))
  return Object.assign(piece, { tool_call_chunks })
}

/** The same piece with its calls among the blocks of its content alone, where events for blocks take them from. */
function withCallBlocks(piece: ModelMessage): ModelMessage {
  const { content, tool_calls: calls = [] } = piece
  if (calls.length === 0) return piece
  const others = Array.isArray(content)
    ? content.filter((block) => !isCallBlock(block))
    : content === ''
      ? []
      : [{ type: 'text', text: content }]
  const blocks = calls.map(({ id, name, args }) => ({ type: 'tool_call', id, name, args }))
  return Object.assign(piece, { content: [...others, ...blocks], tool_call_chunks: [] })
}
