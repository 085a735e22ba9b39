import type { Answer } from '../answer/answer.ts'
import type { Issue } from '../contract/issue.ts'
import type { Locale } from '../contract/locale.ts'
import type { CodeEntry } from '../contract/validator.ts'

const messages: Readonly<Record<Locale, readonly [string, string]>> = {
  en: ['Finish the answer; it was cut off at the length limit.', 'Answer more briefly, or raise the limit of completion tokens'],
  de: ['Beende die Antwort; sie wurde an der Längengrenze abgeschnitten', 'Antworte kürzer oder erhöhe die Grenze der Completion-Tokens'],
}

/** The engine's own code for answers that were cut off. */
export const truncationCodes = {
  TRUNCATED: {
    severity: 'error',
    when: 'The model stopped because it reached its length limit (`finish_reason: length`).',
    fix: 'Raise the limit, or ask for less; a cut-off answer is never completed by a repair.',
  },
} as const satisfies Record<string, CodeEntry>

/** The issue of an answer that was cut off, when it was. */
export function truncationOf(answer: Answer, locale: Locale): Issue[] {
  if (answer.finishReason !== 'length') return []
  const [message, hint] = messages[locale]
  return [{ code: 'TRUNCATED', severity: 'error', validator: 'truncation', message, hint }]
}

/** Tells whether an issue says that the answer was cut off. */
export function isTruncated({ code }: Pick<Issue, 'code'>): boolean {
  return code === 'TRUNCATED'
}
