import { readToolCalls, type ToolCall } from '@stickler/core'
import { isRefusal } from './is-refusal.ts'
import type { ChoiceEnd } from './upstream.ts'

/** The end of a choice, from its message as a whole. */
export function choiceEnd(
  message: Readonly<Record<string, unknown>>,
  finishReason: string | undefined,
  fields: Readonly<Record<string, unknown>> = {},
): ChoiceEnd {
  const end = {
    type: 'end',
    toolCalls: callsOf(message),
    refused: finishReason === 'refusal' || isRefusal(message),
    message,
    fields,
  } as const
  return finishReason === undefined ? end : { ...end, finishReason }
}

const none: readonly ToolCall[] = []

function callsOf({ tool_calls, function_call }: Readonly<Record<string, unknown>>): readonly ToolCall[] {
  if (Array.isArray(tool_calls) && tool_calls.length > 0) return readToolCalls({ tool_calls })
  return function_call === undefined || function_call === null ? none : readToolCalls({ function_call })
}
