import { refusalOf } from '../../reply/reasoning-fields.ts'
import type { FinalChoice } from '../../shared/api.ts'
import { finishKind } from '../../shared/choice-end.ts'

/** Why a message ended; null when the provider sent no reason. */
interface Stop {
  readonly stop_reason: string | null
  readonly stop_sequence: string | null
}

/**
 * The stop reason of a choice: the provider's own, translated from chat completions where possible.
 */
export function stopOf(choice: FinalChoice, stopSequences: unknown): Stop {
  const { finishReason, wire, toolCalls, message, fields } = choice
  if (wire === 'messages') return { stop_reason: finishReason, stop_sequence: textOf(fields.stop_sequence) }
  switch (finishKind(choice)) {
    case 'length':
      return stopped('max_tokens')
    case 'calls':
      return stopped('tool_use')
    case 'filter':
    case 'refusal':
      return stopped('refusal')
    case 'complete':
      if (refusalOf(message) !== '') return stopped('refusal')
      return toolCalls.length > 0 ? stopped('tool_use') : completed(fields, stopSequences)
    default:
      return stopped(finishReason)
  }
}

/** Some providers report the sequence that ended the answer. */
function completed(fields: FinalChoice['fields'], stopSequences: unknown): Stop {
  const sequence = textOf(fields.stop_sequence ?? fields.stop_reason)
  const isAsked = sequence !== null && Array.isArray(stopSequences) && stopSequences.includes(sequence)
  return isAsked ? { stop_reason: 'stop_sequence', stop_sequence: sequence } : stopped('end_turn')
}

function stopped(reason: string | null): Stop {
  return { stop_reason: reason, stop_sequence: null }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
