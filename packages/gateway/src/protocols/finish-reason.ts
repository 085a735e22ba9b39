import type { FinalChoice } from './protocol.ts'
import { refusalOf } from './reasoning.ts'

/** Why a choice ended, in the words of chat completions, which end a refusal like any answer and have a word for answers that were withheld. */
export function finishOf({ finishReason, message }: FinalChoice): string {
  if (finishReason !== 'refusal') return finishReason
  return refusalOf(message) === '' ? 'content_filter' : 'stop'
}
