import { finishKindOf } from '../../../answer/finish-reason.ts'
import type { FinishKind } from '../../../answer/finish-words.ts'
import { refusalOf } from '../../reply/reasoning.ts'
import type { FinalChoice } from '../../shared/api.ts'

/** The finish reasons of chat completions, where there is one. */
const chatWords: ReadonlyMap<FinishKind | undefined, string> = new Map([
  ['complete', 'stop'],
  ['calls', 'tool_calls'],
  ['length', 'length'],
  ['filter', 'content_filter'],
])

/**
 * The finish reason for chat completions: the provider's own, translated only from another API's;
 * null when there was none.
 */
export function chatFinish({ finishReason, wire, message }: FinalChoice): string | null {
  // Chat completions end a refusal like any answer, and have a reason for withheld answers.
  if (finishReason === 'refusal') return refusalOf(message) === '' ? 'content_filter' : 'stop'
  if (finishReason === null || wire === undefined) return finishReason
  return chatWords.get(finishKindOf(finishReason)) ?? finishReason
}
