import { type FinishKind, finishKindOf } from '@stickler/core/runners'
import type { FinalChoice } from './api.ts'
import { refusalOf } from './reasoning.ts'

/** What the kinds of ends are called in chat completions, where they have a word for them. */
const chatWords: ReadonlyMap<FinishKind | undefined, string> = new Map([
  ['complete', 'stop'],
  ['calls', 'tool_calls'],
  ['length', 'length'],
  ['filter', 'content_filter'],
])

/** What the end of a choice means; `missing` when the provider did not say. */
export function finishKind({ finishReason }: Pick<FinalChoice, 'finishReason'>): FinishKind | 'unknown' | 'missing' {
  return finishReason === null ? 'missing' : (finishKindOf(finishReason) ?? 'unknown')
}

/** Why a choice ended, for chat completions: the provider's own word, translated only from another API's; null when there was none. */
export function chatFinish({ finishReason, wire, message }: FinalChoice): string | null {
  // Chat completions end a refusal like any answer, and have a word for answers that were withheld.
  if (finishReason === 'refusal') return refusalOf(message) === '' ? 'content_filter' : 'stop'
  if (finishReason === null || wire === undefined) return finishReason
  return chatWords.get(finishKindOf(finishReason)) ?? finishReason
}
