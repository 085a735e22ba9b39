import type { Answer } from '../answer/answer.ts'
import type { Issue } from '../contract/issue.ts'
import type { Locale } from '../contract/locale.ts'
import type { CodeEntry } from '../contract/validator.ts'

const messages = {
  length: {
    en: ['Finish the answer; it was cut off at the length limit.', 'Answer more briefly, or raise the limit of completion tokens'],
    de: ['Beende die Antwort; sie wurde an der Längengrenze abgeschnitten', 'Antworte kürzer oder erhöhe die Grenze der Completion-Tokens'],
  },
  content_filter: {
    en: ["Finish the answer; it was cut off by the provider's content filter.", 'Say it in other words'],
    de: ['Beende die Antwort; sie wurde vom Inhaltsfilter des Anbieters abgeschnitten', 'Formuliere es anders'],
  },
  refusal: {
    en: ['Answer the question; it was refused.', 'Answer the part that can be answered'],
    de: ['Beantworte die Frage; sie wurde abgelehnt', 'Beantworte den Teil, der beantwortet werden kann'],
  },
} as const satisfies Record<string, Record<Locale, readonly [string, string]>>

/** The engine's own codes for answers that are not whole. */
export const truncationCodes = {
  TRUNCATED: {
    severity: 'error',
    when: 'The model stopped before its end: `finish_reason` is `length` or `content_filter`.',
    fix: 'Raise the limit, or ask for less; a cut-off answer is never completed by a repair.',
  },
  REFUSED: {
    severity: 'error',
    when: 'The model refused to answer.',
    fix: 'Ask in another way; a refusal is never made an answer by a repair.',
  },
} as const satisfies Record<string, CodeEntry>

/** Whether a model stopped before its end, or refused. */
export function isCutShort(finishReason: string | undefined): finishReason is keyof typeof messages {
  return finishReason === 'length' || finishReason === 'content_filter' || finishReason === 'refusal'
}

/** The issue of an answer that was cut off or refused, when it was. */
export function truncationOf({ finishReason }: Answer, locale: Locale): Issue[] {
  if (!isCutShort(finishReason)) return []
  const [message, hint] = messages[finishReason][locale]
  return [{ code: finishReason === 'refusal' ? 'REFUSED' : 'TRUNCATED', severity: 'error', validator: 'truncation', message, hint }]
}

/** Tells whether an issue says that the answer is not whole. */
export function isTruncated({ code }: Pick<Issue, 'code'>): boolean {
  return code === 'TRUNCATED' || code === 'REFUSED'
}
