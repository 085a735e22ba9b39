import { isFields } from '@stickler/core/internal'

/** A message of LangChain, as far as it is read; what else it has travels along. */
export interface MessageLike {
  readonly type: string
  readonly content: unknown
}

/** What a message of a model has beside its content. */
export interface ModelMessage extends MessageLike {
  readonly id?: string
  readonly tool_calls?: readonly { readonly id?: string; readonly name: string; readonly args: unknown }[]
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

/** A message without the calls in its content. */
export function readable(message: ModelMessage): ModelMessage {
  const { type, content, tool_calls, invalid_tool_calls, usage_metadata, response_metadata, additional_kwargs } = message
  if (!Array.isArray(content) || !content.some(isCallBlock)) return message
  const others = content.filter((block) => !isCallBlock(block))
  const given = { tool_calls, invalid_tool_calls, usage_metadata, response_metadata, additional_kwargs }
  return { type, content: others, ...(given as Omit<ModelMessage, 'type' | 'content'>) }
}
