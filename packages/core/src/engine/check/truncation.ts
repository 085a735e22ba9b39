import type { Answer } from '../../answer/answer.ts'
import { endsTurn, finishKindOf } from '../../answer/finish-reason.ts'
import type { FinishKind } from '../../answer/finish-reason-table.ts'
import type { Issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { Policy } from '../../contract/policy.ts'
import { quote } from '../../contract/quote.ts'
import type { CodeEntry } from '../../contract/validator.ts'
import type { Unchecked } from './report.ts'

type Words = Readonly<Record<Locale, readonly [message: string, hint: string]>>

const interrupted: Words = {
  en: ['Finish the answer; the provider ended it early.', 'Answer the whole question again'],
  de: ['Beende die Antwort; der Anbieter hat sie vorzeitig beendet.', 'Beantworte die ganze Frage noch einmal'],
}

const messages: Readonly<Record<Exclude<FinishKind, 'complete' | 'calls' | 'paused'>, Words>> = {
  length: {
    en: ['Finish the answer; it was cut off at the length limit.', 'Answer more briefly, so that the answer fits'],
    de: ['Beende die Antwort; sie wurde an der Längengrenze abgeschnitten.', 'Antworte kürzer, damit die Antwort hineinpasst'],
  },
  interrupted,
  error: interrupted,
  filter: {
    en: ["Answer the question; the provider's content filter stopped the answer.", 'Say it in other words'],
    de: ['Beantworte die Frage; der Inhaltsfilter des Anbieters hat die Antwort abgebrochen.', 'Formuliere es anders'],
  },
  refusal: {
    en: ['Answer the question; it was refused.', 'Answer the part that can be answered'],
    de: ['Beantworte die Frage; sie wurde abgelehnt.', 'Beantworte den Teil, der beantwortet werden kann'],
  },
}

const missing: Words = {
  en: [
    'Make sure that the answer is complete; the provider did not say why it ended.',
    'Set `capabilities.finishReason` when it always does',
  ],
  de: [
    'Prüfe, ob die Antwort vollständig ist; der Anbieter nennt keinen Grund für ihr Ende.',
    'Setze `capabilities.finishReason`, wenn er es immer tut',
  ],
}

const unclosed: Words = {
  en: [
    'Close the reasoning with its end tag; everything after the opening tag is reasoning, and there is no answer.',
    'Write the answer after the end tag',
  ],
  de: [
    'Schließe die Überlegung mit ihrem End-Tag; alles hinter dem öffnenden Tag ist Überlegung, und eine Antwort fehlt.',
    'Schreibe die Antwort hinter den End-Tag',
  ],
}

/** The engine's own codes for how an answer ended. */
export const truncationCodes = {
  TRUNCATED: {
    severity: 'error',
    when: 'The answer ended before the model did: `finish_reason` is `length`, `max_tokens`, `abort` or the equivalent of another provider.',
    fix: 'Raise the limit, or ask for less; a cut-off answer is never completed by a repair.',
  },
  REFUSED: {
    severity: 'error',
    when: 'The model refused to answer, or a content filter of the provider stopped it (`content_filter`, `SAFETY` …).',
    fix: 'Rephrase the prompt; a refusal is never repaired.',
  },
  FINISH_REASON_MISSING: {
    severity: 'warning',
    when: 'A provider that does not always send a finish reason ended the answer without one, so it may be cut off.',
    fix: 'Nothing; from a provider that always sends one, the answer is `unchecked`.',
  },
  UNCLOSED_REASONING: {
    severity: 'error',
    when: 'The answer begins with `<think>`, `<thinking>` or `<reasoning>` and never ends that block, so all of it is reasoning, which no validator checks.',
    fix: 'Nothing: the model is asked again.',
  },
} as const satisfies Record<string, CodeEntry>

/** What the end of an answer says is wrong with it: cut off, refused, inside its reasoning, or without a word by a provider that often gives none. */
export function endIssues(answer: Answer, policy: Pick<Policy, 'locale' | 'truncated'>): Issue[] {
  const issues = finishIssues(answer, policy)
  // Only such a text is worth reading for it.
  if (opensReasoning.test(answer.text) && answer.unclosedReasoning)
    issues.push(issueOf('UNCLOSED_REASONING', 'error', unclosed[policy.locale]))
  return issues
}

const opensReasoning = /^\s*<(?:think|reasoning)/i

function finishIssues({ finishReason, finishMissing }: Answer, { locale, truncated }: Pick<Policy, 'locale' | 'truncated'>): Issue[] {
  if (finishReason === undefined) return finishMissing === 'usual' ? [issueOf('FINISH_REASON_MISSING', 'warning', missing[locale])] : []
  const kind = finishKindOf(finishReason)
  if (kind === undefined || endsTurn(kind)) return []
  const code = kind === 'filter' || kind === 'refusal' ? 'REFUSED' : 'TRUNCATED'
  return [issueOf(code, kind === 'length' ? truncated : 'error', messages[kind][locale])]
}

/** Why it is unknown whether an answer is complete; the provider's word is not quoted where secrets are searched for, because nobody searches it. */
export function uncheckedEnd({ finishReason, finishMissing }: Answer, mayQuote: boolean): Unchecked[] {
  if (finishReason === undefined)
    return finishMissing === 'unexpected' ? [unknownEnd('the provider did not say why the answer ended, though it always does')] : []
  if (finishKindOf(finishReason) !== undefined) return []
  return [unknownEnd(`${mayQuote ? quote(finishReason) : 'what the provider said'} is not a known finish reason`)]
}

/** Whether an issue reports that the answer is incomplete. */
export function isTruncated({ code }: Pick<Issue, 'code'>): boolean {
  return code === 'TRUNCATED' || code === 'REFUSED' || code === 'UNCLOSED_REASONING'
}

function issueOf(code: keyof typeof truncationCodes, severity: Issue['severity'], [message, hint]: readonly [string, string]): Issue {
  return { code, severity, validator: 'truncation', message, hint }
}

function unknownEnd(message: string): Unchecked {
  return { validator: 'truncation', cause: 'unavailable', message }
}
