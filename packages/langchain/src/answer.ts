import type { Outcome, ToolCall } from '@stickler/core'
import { isFields, runVerdict } from '@stickler/core/internal'
import { distribute } from '@stickler/core/internal/apis'
import { isCallBlock, likeMessage, type ModelMessage } from './message.ts'

/** The message that is delivered: the model's own with what the contract made of its text and calls, the usage of all attempts, and the verdict. */
export function deliveredMessage<M extends ModelMessage>(outcome: Outcome, given: M, usage: object | undefined): M {
  const { id, name, additional_kwargs, response_metadata } = given
  const { tool_calls: _, ...kwargs } = { tool_calls: undefined, ...additional_kwargs }
  return likeMessage(given, {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    content: contentOf(outcome, given.content),
    tool_calls: outcome.toolCalls.map(writtenCall),
    invalid_tool_calls: [],
    // The provider's own list of calls is from before repairs.
    additional_kwargs: kwargs,
    response_metadata: { ...response_metadata, stickler: runVerdict(outcome) },
    ...(usage && { usage_metadata: usage }),
  })
}

function writtenCall({ id = crypto.randomUUID(), name, arguments: given }: ToolCall): object {
  return { type: 'tool_call', id, name, args: JSON.parse(given) as unknown }
}

function contentOf({ text, toolCalls, repairs, fallback }: Outcome, content: unknown): unknown {
  if (!Array.isArray(content) || fallback) return text
  const isText = (block: unknown): boolean => isFields(block) && block.type === 'text' && typeof block.text === 'string'
  const texts = distribute(
    content.filter(isText).map(({ text: own }: { text: string }) => own),
    text,
    repairs,
  ).values()
  const others = content.flatMap((block: unknown) => {
    if (isText(block)) {
      const next = texts.next().value ?? ''
      return next === '' ? [] : [{ ...(block as object), text: next }]
    }
    return isCallBlock(block) ? [] : [block]
  })
  const calls = content.some(isCallBlock) ? toolCalls : []
  const lone = content.some(isText) || text === '' ? [] : [{ type: 'text', text }]
  return [...others, ...lone, ...calls.map(callBlock)]
}

function callBlock({ id, name, arguments: given }: ToolCall): object {
  return { type: 'tool_use', id, name, input: JSON.parse(given) as unknown }
}
