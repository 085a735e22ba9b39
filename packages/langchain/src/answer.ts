import type { Contract, Outcome, ToolCall } from '@stickler/core'
import { contentText, isFields, runVerdict } from '@stickler/core/internal'
import { distribute } from '@stickler/core/internal/apis'
import { reasoningSecrets } from '@stickler/core/internal/relay'
import { afterRepair, formatCalls, isCallBlock, isTextBlock, legacyCall, likeMessage, type ModelMessage, only } from './message.ts'

/** What of a block stays when its text has changed. */
const ofBlock: ReadonlySet<string> = new Set(['type', 'id', 'index'])

/** The message that is delivered: the model's own with what the contract made of its text and calls, the usage of all attempts, and the verdict. */
export function deliveredMessage<M extends ModelMessage>(
  outcome: Outcome,
  given: M,
  toolCalls: readonly ToolCall[],
  usage: object | undefined,
  formats: ReadonlySet<string>,
  isValue: boolean,
): M {
  const { fallback, repairs } = outcome
  const isRepaired = repairs.length > 0 || toolCalls.some((call, index) => call !== outcome.toolCalls[index])
  const { id, name } = given
  // A fallback has nothing of the rejected answer; LangChain sends some of it to the provider again.
  const kept = (fields: object = {}): object =>
    fallback
      ? {}
      : isRepaired
        ? only(fields, afterRepair)
        : Object.fromEntries(Object.entries(fields).filter(([field]) => field !== 'tool_calls'))
  const untouched = fallback ? [] : formatCalls(given, formats).map((call) => ({ ...call, arguments: JSON.stringify(call.args) }))
  const legacy = fallback ? undefined : legacyCall(given)
  const calls = [...toolCalls, ...untouched]
  const last = legacy === undefined ? undefined : toolCalls.at(-1)
  const content = contentOf(outcome, given, calls)
  return likeMessage(given, {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    // Of a value in blocks, parsers of LangChain read only what the client has parsed, which is asked not to.
    content: isValue && Array.isArray(content) && content.every(isTextBlock) ? outcome.text : content,
    // A program that asks in the old way reads its call there alone.
    tool_calls: calls.filter((call) => call !== last).map(writtenCall),
    invalid_tool_calls: [],
    additional_kwargs: {
      ...kept(given.additional_kwargs),
      ...(last && { function_call: { name: last.name, arguments: last.arguments } }),
    },
    response_metadata: { ...kept(given.response_metadata), stickler: runVerdict(outcome) },
    ...(usage && { usage_metadata: usage }),
  })
}

function writtenCall({ id = crypto.randomUUID(), name, arguments: given }: ToolCall): object {
  return { type: 'tool_call', id, name, args: JSON.parse(given) as unknown }
}

function contentOf({ text, repairs, fallback }: Outcome, given: ModelMessage, toolCalls: readonly ToolCall[]): unknown {
  const { content, response_metadata: metadata } = given
  // Anthropic's calls are read from the content alone, those that were text too.
  const isMade = repairs.some(({ calls }) => calls !== undefined) && isFields(metadata) && metadata.model_provider === 'anthropic'
  if (isMade && !Array.isArray(content)) return [...(text === '' ? [] : [{ type: 'text', text }]), ...toolCalls.map(callBlock)]
  if (!Array.isArray(content) || fallback) return text
  const texts = distribute(
    content.filter(isTextBlock).map((block) => contentText([block])),
    text,
    repairs,
  ).values()
  const others = content.flatMap((block: unknown) => {
    if (isTextBlock(block)) {
      const next = texts.next().value ?? ''
      if (next === contentText([block])) return [block]
      return next === '' ? [] : [typeof block === 'string' ? next : { ...only(block as object, ofBlock), text: next }]
    }
    return isCallBlock(block) ? [] : [block]
  })
  const calls = isMade || content.some(isCallBlock) ? toolCalls : []
  const lone = content.some(isTextBlock) || text === '' ? [] : [{ type: 'text', text }]
  return [...others, ...lone, ...calls.map(callBlock)]
}

/** A message whose reasoning, citations and log probabilities have no secrets that the contract takes out of text. */
export function withoutSecrets<M extends ModelMessage>(message: M, contract: Contract): M {
  const { id, name, content, tool_calls, invalid_tool_calls, usage_metadata, additional_kwargs, response_metadata } = message
  const { stickler, ...metadata } = response_metadata as { readonly stickler?: unknown }
  const beside = { content, additional_kwargs, metadata }
  const shown = reasoningSecrets({ contractName: 'langchain', contract })?.without(beside) ?? beside
  if (shown === beside) return message
  return likeMessage(message, {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(usage_metadata && { usage_metadata }),
    tool_calls,
    invalid_tool_calls,
    content: shown.content,
    additional_kwargs: shown.additional_kwargs,
    response_metadata: { ...shown.metadata, ...(stickler !== undefined && { stickler }) },
  })
}

function callBlock({ id, name, arguments: given }: ToolCall): object {
  return { type: 'tool_use', id, name, input: JSON.parse(given) as unknown }
}
