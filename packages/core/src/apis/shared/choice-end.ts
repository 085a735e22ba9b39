import { contentText, refusalText, unreadOf } from '../../answer/content.ts'
import { type FinishMissing, finishKindOf } from '../../answer/finish-reason.ts'
import type { FinishKind } from '../../answer/finish-reason-table.ts'
import { readToolCalls, type ToolCall } from '../../answer/tool-calls.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { refusal } from '../../engine/check/unreadable-content.ts'
import type { FinishReason } from '../../engine/runner.ts'
import { RunnerFailure } from '../../engine/runner-failure.ts'
import type { FinalChoice } from './api.ts'
import type { ChoiceEnd } from './choice-event.ts'

/** The end of an answer, by the provider's finish reason and whether it is a refusal; an error of the provider is not an answer. */
export function endOf(
  reason: string | undefined,
  isRefusal: boolean,
  always: boolean,
): { readonly finishReason?: FinishReason; readonly finishMissing?: FinishMissing } {
  const kind = reason === undefined ? undefined : finishKindOf(reason)
  if (kind === 'error') throw new RunnerFailure('protocol', 'the provider ended the answer because of an error')
  // Providers end a refusal like any other answer; callers of a runner are informed.
  if (isRefusal && (reason === undefined || kind === 'complete')) return { finishReason: 'refusal' }
  return reason === undefined ? { finishMissing: always ? 'unexpected' : 'usual' } : { finishReason: reason }
}

/** How a provider reports the end of an answer. */
export interface Endings {
  /** Whether it sends a finish reason with every answer. */
  readonly always: boolean
  /** Set if its finish reasons are those of the Messages API. */
  readonly wire?: ChoiceEnd['wire']
}

/** The end of a choice, from its whole message and the finish reason; throws if that reason means that there is no answer. */
export function choiceEnd(
  message: Fields,
  finishReason: string | undefined,
  { always, wire }: Endings,
  fields: Fields = {},
  numbers?: readonly number[],
): ChoiceEnd {
  const told = endOf(finishReason, refusalText(message) !== '', always)
  const refused = told.finishReason === 'refusal'
  const end: { -readonly [Key in keyof ChoiceEnd]: ChoiceEnd[Key] } = {
    type: 'end',
    ...callsOf(message, numbers),
    refused,
    message: withoutEmptyCall(message),
    fields,
  }
  if (finishReason !== undefined) end.finishReason = finishReason
  if (told.finishMissing !== undefined) end.finishMissing = told.finishMissing
  const unread = unreadOf(message) ?? (refused && saysNothing(message) ? refusal : undefined)
  if (unread !== undefined) end.unread = unread
  if (wire !== undefined) end.wire = wire
  return end
}

/** A refusal beside text is judged by that text. */
function saysNothing({ content }: Fields): boolean {
  return contentText(content).trim() === ''
}

/** The number of a call in `function_call` among the checked parts. */
export const functionCallNumber = -1

/** All calls of a message: clients may read `function_call` next to `tool_calls`. */
function callsOf(
  { tool_calls: calls, function_call: single }: Fields,
  numbers?: readonly number[],
): Pick<ChoiceEnd, 'toolCalls' | 'callNumbers'> {
  const given = Array.isArray(calls) ? calls.filter(isFields) : []
  const isNothing = given.map((call) => isEmptyCall(call.function))
  if (numbers === undefined && isNothing.includes(true)) {
    const kept = [...given.keys()].filter((at) => !isNothing[at])
    return callsOf({ tool_calls: kept.map((at) => given[at]), function_call: single }, kept)
  }
  const listed = Array.isArray(calls) && calls.length > 0 ? readToolCalls({ tool_calls: calls }) : none
  if (single === undefined || single === null || isEmptyCall(single))
    return numbers?.some((number, at) => number !== at) ? { toolCalls: listed, callNumbers: numbers } : { toolCalls: listed }
  return {
    toolCalls: [...listed, ...readToolCalls({ function_call: single })],
    callNumbers: [...(numbers ?? listed.keys()), functionCallNumber],
  }
}

const none: readonly ToolCall[] = []

/** Some providers send an empty `function_call` beside `tool_calls`; it means nothing. */
function withoutEmptyCall(message: Fields): Fields {
  if (!isEmptyCall(message.function_call)) return message
  const { function_call: _empty, ...rest } = message
  return rest
}

function isEmptyCall(call: unknown): boolean {
  return isFields(call) && (call.name ?? '') === '' && (call.arguments ?? '') === ''
}

/** The meaning of a finish reason; `missing` if the provider sent none. */
export function finishKind({ finishReason }: Pick<FinalChoice, 'finishReason'>): FinishKind | 'unknown' | 'missing' {
  return finishReason === null ? 'missing' : (finishKindOf(finishReason) ?? 'unknown')
}
