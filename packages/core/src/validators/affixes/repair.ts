import type { Answer } from '../../answer/answer.ts'
import type { Certificate } from '../../contract/certificate.ts'
import { inspectAffixes } from './inspect.ts'
import type { AffixRules } from './rules.ts'
import { StartMatcher } from './start-matcher.ts'

/** Adds what is missing at both ends, a guess at what the model meant; a start in another case is corrected. */
export function* repairAffixes(answer: Answer, rules: AffixRules): Generator<Certificate> {
  // There is nothing to put anything around.
  if (!answer.visible) return
  const { body, start, end } = inspectAffixes(answer, rules)
  if (start !== undefined) yield* repairStart(answer, rules, body.start, start === 'NOT_WRAPPED')
  if (end === undefined) return
  const { close, ends } = rules
  const ending = ends !== undefined && (end === 'WRONG_END' || !inspectsEnd(answer, rules)) ? `${gapBefore(ends)}${ends}` : ''
  const isInside = close !== undefined && end === 'WRONG_END'
  const at = isInside ? body.end - close.length : body.end
  yield insert('add-end', at, `${ending}${close !== undefined && !isInside ? close : ''}`)
}

/** Whether the end is right but for what it is wrapped in. */
function inspectsEnd(answer: Answer, rules: AffixRules): boolean {
  return inspectAffixes(answer, { ...rules, close: undefined }).end === undefined
}

function* repairStart({ text }: Answer, rules: AffixRules, at: number, isUnwrapped: boolean): Generator<Certificate> {
  const { open = '', starts = '' } = rules
  const folded = new StartMatcher(rules, true)
  const length = folded.push(text.slice(at))
  if (folded.done) {
    const before = text.slice(at, at + length)
    yield { rule: 'correct-case', class: 'lossless', span: { start: at, end: at + length }, before, after: recased(before, open, starts) }
    return
  }
  if (!isUnwrapped) {
    yield insert('add-start', at + open.length, `${starts}${gapBehind(starts)}`)
    return
  }
  const inner = new StartMatcher({ ...rules, open: undefined }, !rules.caseSensitive)
  inner.push(text.slice(at))
  yield insert('add-start', at, inner.done || starts === '' ? open : `${open}${starts}${gapBehind(starts)}`)
}

/** What was read, in the case that is asked for; white space between the pieces stays. */
function recased(before: string, open: string, starts: string): string {
  return `${open}${before.slice(open.length, before.length - starts.length)}${starts}`
}

function insert(rule: string, at: number, after: string): Certificate {
  return { rule, class: 'guess', span: { start: at, end: at }, before: '', after }
}

/** A sentence is a paragraph of its own; anything else is in the same line. */
function gapBehind(starts: string): string {
  return /[.!?:]$/.test(starts) ? '\n\n' : ' '
}

function gapBefore(ends: string): string {
  if (/^\p{Lu}/u.test(ends)) return '\n\n'
  return /^[\p{L}\p{N}]/u.test(ends) ? ' ' : ''
}
