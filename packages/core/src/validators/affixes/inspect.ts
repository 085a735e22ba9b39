import type { Answer } from '../../answer/answer.ts'
import type { TextSpan } from '../../answer/span.ts'
import { foldText } from '../shared/fold-case.ts'
import type { AffixRules } from './rules.ts'
import { type StartCode, StartMatcher } from './start-matcher.ts'

/** What is wrong with the start and the end of an answer. */
export interface AffixFaults {
  /** The body without white space at both ends. */
  readonly body: TextSpan
  readonly start: StartCode | undefined
  readonly end: 'NOT_WRAPPED' | 'WRONG_END' | undefined
}

/** Looks at both ends of an answer. */
export function inspectAffixes({ text, bodyStart, isBetween }: Answer, rules: AffixRules): AffixFaults {
  const rest = text.slice(bodyStart)
  const start = bodyStart + rest.length - rest.trimStart().length
  const body = text.slice(start).trimEnd()
  const matcher = new StartMatcher(rules, !rules.caseSensitive)
  matcher.push(body)
  // What is not wrong yet may follow once the tools have answered.
  const wrongStart = isBetween ? matcher.failed : matcher.missing
  return { body: { start, end: start + body.length }, start: wrongStart, end: isBetween ? undefined : inspectEnd(body, rules) }
}

function inspectEnd(body: string, { open, close, ends, caseSensitive }: AffixRules): AffixFaults['end'] {
  const endsIn = (text: string, ending: string): boolean =>
    caseSensitive ? text.endsWith(ending) : foldText(text.slice(-2 * ending.length)).endsWith(foldText(ending))
  if (close !== undefined && !(body.length >= (open?.length ?? 0) + close.length && endsIn(body, close))) return 'NOT_WRAPPED'
  if (ends === undefined) return undefined
  const inner = close === undefined ? body : body.slice(0, -close.length).trimEnd()
  return endsIn(inner, ends) || endsIn(withoutQuotes(inner), ends) ? undefined : 'WRONG_END'
}

/** Without the double quotes at the end, so that an answer in quotes ends with what it says. */
export function withoutQuotes(text: string): string {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 34) end--
  return text.slice(0, end)
}
