import { readToolCalls, type ToolCall } from '@stickler/core'
import { isRefusal } from './is-refusal.ts'
import { isRecord } from './json.ts'
import type { ChoiceEnd } from './upstream.ts'

/** The end of a choice, from its message as a whole. */
export function choiceEnd(
  message: Readonly<Record<string, unknown>>,
  finishReason: string | undefined,
  fields: Readonly<Record<string, unknown>> = {},
): ChoiceEnd {
  const toolCalls = callsOf(message)
  const said = withoutEmptyCall(message)
  const refused = finishReason === 'refusal' || isRefusal(message)
  return finishReason === undefined
    ? { type: 'end', toolCalls, refused, message: said, fields }
    : { type: 'end', toolCalls, refused, message: said, fields, finishReason }
}

const none: readonly ToolCall[] = []

function callsOf({ tool_calls, function_call }: Readonly<Record<string, unknown>>): readonly ToolCall[] {
  if (Array.isArray(tool_calls) && tool_calls.length > 0) return readToolCalls({ tool_calls })
  return function_call === undefined || function_call === null || isEmptyCall(function_call) ? none : readToolCalls({ function_call })
}

/** Some providers send an empty `function_call` beside `tool_calls`; it means nothing. */
function withoutEmptyCall(message: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!isEmptyCall(message.function_call)) return message
  const { function_call: _empty, ...rest } = message
  return rest
}

function isEmptyCall(call: unknown): boolean {
  return isRecord(call) && (call.name ?? '') === '' && (call.arguments ?? '') === ''
}
