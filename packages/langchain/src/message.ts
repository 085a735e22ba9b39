import { contentText, isFields, refusalText } from '@stickler/core/internal'

/** A message of LangChain, as far as it is read; what else it has travels along. */
export interface MessageLike {
  readonly type: string
  readonly content: unknown
}

/** A call as messages of LangChain have it; those that it could not parse have a text as arguments. */
export interface MessageCall {
  readonly id?: string
  readonly name: string
  readonly args: unknown
}

/** What a message of a model has beside its content. */
export interface ModelMessage extends MessageLike {
  readonly id?: string
  readonly tool_calls?: readonly MessageCall[]
  readonly invalid_tool_calls?: readonly object[]
  readonly usage_metadata?: object
  readonly response_metadata?: object
  readonly additional_kwargs?: object
  readonly name?: string
}

/** Whether a value is a message that a model wrote. */
export function isModelMessage(value: unknown): value is ModelMessage {
  return typeof value === 'object' && value !== null && 'content' in value && 'type' in value && value.type === 'ai'
}

/** A new message of the same class as another one, because the classes belong to the caller's LangChain. */
export function likeMessage<M extends MessageLike>(template: M, fields: object): M {
  return new (template.constructor as new (fields: object) => M)(fields)
}

/** Blocks of the content that are calls, as Anthropic has them, also in pieces of a stream. */
const callBlocks = new Set(['tool_use', 'tool_call', 'input_json_delta', 'tool_call_chunk'])

/** Whether a block of the content is a call, which `tool_calls` has as well. */
export function isCallBlock(block: unknown): boolean {
  return isFields(block) && callBlocks.has(String(block.type))
}

/** Whether a block of the content is text of the answer, whatever its type. */
export function isTextBlock(block: unknown): boolean {
  return contentText([block]) !== ''
}

/** The call of a message in the way of before there were tools; undefined when it has none. */
export function legacyCall({ additional_kwargs: kwargs }: ModelMessage): { readonly name: string; readonly arguments: string } | undefined {
  const call = isFields(kwargs) ? kwargs.function_call : undefined
  return isFields(call) ? { name: String(call.name), arguments: String(call.arguments) } : undefined
}

/** The calls of a message that stand for a format of the answer. */
export function formatCalls({ tool_calls: calls = [] }: ModelMessage, formats: ReadonlySet<string>): readonly MessageCall[] {
  return calls.filter(({ name }) => formats.has(name))
}

/** What of the metadata stays after a repair: all else may repeat the answer as it was, as log probabilities do. Reasoning is searched by itself. */
export const afterRepair: ReadonlySet<string> = new Set(
  (
    'id model model_name model_provider modelId finish_reason finishReason stop_reason system_fingerprint service_tier usage token_usage ' +
    'tokenUsage estimatedTokenUsage created created_at object role type status output_version reasoning reasoning_content'
  ).split(' '),
)

/** Some fields of an object. */
export function only(given: object | undefined, fields: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([field]) => fields.has(field)))
}

/** A message with other arguments of its calls, in every place where it has them; others that repeat the call are left out. */
export function withArguments<M extends ModelMessage>(message: M, args: ReadonlyMap<MessageCall, unknown>): M {
  const { id, name, content, tool_calls: calls = [], invalid_tool_calls, usage_metadata, response_metadata, additional_kwargs } = message
  const inputs = new Map([...args].map(([call, input]) => [call.id, input]))
  const blocks = (list: readonly unknown[]): readonly unknown[] =>
    list.flatMap((block) => {
      if (!isFields(block) || !isCallBlock(block)) return [block]
      if (!inputs.has(block.id as string)) return block.id === undefined ? [] : [block]
      return [{ type: 'tool_use', id: block.id, name: block.name, input: inputs.get(block.id as string) }]
    })
  return likeMessage(message, {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(usage_metadata && { usage_metadata }),
    content: Array.isArray(content) ? blocks(content) : content,
    tool_calls: calls.map((call) => (args.has(call) ? { ...call, args: args.get(call) } : call)),
    invalid_tool_calls,
    additional_kwargs: only(additional_kwargs, afterRepair),
    response_metadata: only(response_metadata, afterRepair),
  })
}

/** A message as it is judged: without the getter for its text, which leaves out some blocks, and with each call once. */
export function readable(message: ModelMessage, formats: ReadonlySet<string>): ModelMessage {
  const { type, content, tool_calls: calls = [], invalid_tool_calls: invalid = [], usage_metadata, response_metadata } = message
  const legacy = legacyCall(message)
  const tool_calls = calls.filter(({ name }) => !formats.has(name))
  const unparsed = legacy === undefined ? invalid : [...invalid, { name: legacy.name, args: legacy.arguments }]
  const given = { usage_metadata, response_metadata, additional_kwargs: message.additional_kwargs }
  const others = Array.isArray(content) ? content.filter((block) => !isCallBlock(block)) : content
  return { type, content: others, tool_calls, invalid_tool_calls: unparsed, ...(given as Omit<ModelMessage, 'type' | 'content'>) }
}

/** Whether a block of the content is reasoning. */
export function isThought(block: unknown): boolean {
  return isFields(block) && /^(?:redacted_)?(?:thinking|reasoning)$/.test(String(block.type))
}

/** Whether nothing of a message remains to be judged beside its formats. */
export function isOnlyFormat(message: ModelMessage, formats: ReadonlySet<string>): boolean {
  if (formatCalls(message, formats).length === 0) return false
  const { content, tool_calls, invalid_tool_calls } = readable(message, formats)
  const isSilent = Array.isArray(content) ? content.every(isThought) : content === ''
  return isSilent && tool_calls?.length === 0 && invalid_tool_calls?.length === 0 && refusalText({ ...message }) === ''
}
