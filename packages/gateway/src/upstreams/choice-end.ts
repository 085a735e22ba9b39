import { readToolCalls, type ToolCall } from '@stickler/core'
import { isRefusal } from './is-refusal.ts'
import type { ChoiceEnd } from './upstream.ts'

/** The end of a choice, from its message as a whole. */
export function choiceEnd(
  message: Readonly<Record<string, unknown>>,
  finishReason: string | undefined,
  fields: Readonly<Record<string, unknown>> = {},
): ChoiceEnd {
  const toolCalls = callsOf(message)
  const refused = finishReason === 'refusal' || isRefusal(message)
  return finishReason === undefined
    ? { type: 'end', toolCalls, refused, message, fields }
    : { type: 'end', toolCalls, refused, message, fields, finishReason }
}

const none: readonly ToolCall[] = []

function callsOf({ tool_calls, function_call }: Readonly<Record<string, unknown>>): readonly ToolCall[] {
  if (Array.isArray(tool_calls) && tool_calls.length > 0) return readToolCalls({ tool_calls })
  return function_call === undefined || function_call === null ? none : readToolCalls({ function_call })
}
