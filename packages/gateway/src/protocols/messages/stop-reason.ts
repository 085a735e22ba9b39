import type { FinalChoice } from '../protocol.ts'
import { refusalOf } from '../reasoning.ts'

/** Why a message ended. */
export interface Stop {
  readonly stop_reason: string
  readonly stop_sequence: string | null
}

const reasons = new Map([
  ['length', 'max_tokens'],
  ['tool_calls', 'tool_use'],
  ['function_call', 'tool_use'],
  ['content_filter', 'refusal'],
  ['refusal', 'refusal'],
])

/** Why a choice ended, in the words of the Messages API. */
export function stopOf({ finishReason, toolCalls, message, fields }: FinalChoice, stopSequences: unknown): Stop {
  const reason = reasons.get(finishReason)
  if (reason !== undefined) return { stop_reason: reason, stop_sequence: null }
  if (refusalOf(message) !== '') return { stop_reason: 'refusal', stop_sequence: null }
  if (toolCalls.length > 0) return { stop_reason: 'tool_use', stop_sequence: null }
  // Some providers tell the sequence that ended the answer.
  const sequence = fields.stop_sequence ?? fields.stop_reason
  const isAsked = typeof sequence === 'string' && Array.isArray(stopSequences) && stopSequences.includes(sequence)
  return isAsked ? { stop_reason: 'stop_sequence', stop_sequence: sequence } : { stop_reason: 'end_turn', stop_sequence: null }
}
