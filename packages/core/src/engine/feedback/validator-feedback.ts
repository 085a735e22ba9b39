import type { Contract } from '../../contract/contract.ts'
import type { Issue } from '../../contract/issue.ts'
import { utf8Length } from '../tokens/estimate-tokens.ts'
import { continuationFeedback, feedback, goOnFrom, mostFeedbackBytes, oneLine } from './feedback.ts'
import { mostSchemaFeedbackBytes } from './schema-feedback.ts'

/** The most issues in a validator's own feedback, so that a prompt stays small. */
const mostIssues = 100
/** The most bytes of a validator's own feedback, enough for a short line on each issue; with more, it covers fewer issues. */
const mostOwnBytes = 12_000

/** The most bytes that a contract's feedback can have, whatever the answer. */
export function mostFeedbackBytesOf(contract: Contract): number {
  const { validators, policy } = contract
  const speaking = validators.filter(({ prepared }) => prepared.feedback !== undefined).length
  return mostFeedbackBytes(policy.locale) + speaking * (mostOwnBytes + 1) + mostSchemaFeedbackBytes(contract)
}

/** The feedback on issues, using the own feedback of validators that have one, with further lines; asks to continue delivered text. Equal issues give equal bytes. */
export function feedbackFor(
  { validators, policy }: Contract,
  issues: readonly Issue[],
  delivered = '',
  more: readonly string[] = [],
): string {
  const { locale } = policy
  const own = new Map<string, string>()
  for (const { name, prepared } of validators) {
    const theirs = issues.filter(({ validator }) => validator === name)
    const words = theirs.length === 0 ? undefined : inOwnWords(prepared.feedback?.bind(prepared), theirs)
    if (words !== undefined) own.set(name, words)
  }
  const others = issues.filter(({ validator }) => !own.has(validator))
  const texts = [...own.values()]
  if (others.length > 0 || texts.length === 0)
    texts.push(delivered === '' ? feedback(others, locale, more) : continuationFeedback(others, delivered, locale, more))
  else if (delivered !== '') texts.push('', goOnFrom(delivered, locale))
  return texts.join('\n')
}

function inOwnWords(speak: ((issues: readonly Issue[]) => string) | undefined, issues: readonly Issue[]): string | undefined {
  if (speak === undefined) return undefined
  const told = issues.slice(0, mostIssues).map((issue) => ({ ...issue, message: oneLine(issue.message) }))
  try {
    for (let count = told.length; count > 0; count = Math.floor(count / 2)) {
      const words = speak(told.slice(0, count))
      if (utf8Length(words) <= mostOwnBytes) return words
    }
  } catch {
    // The engine's words do as well.
  }
  return undefined
}
