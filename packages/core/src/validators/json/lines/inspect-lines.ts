import type { Answer } from '../../../answer/answer.ts'
import { positionAt } from '../../../answer/span.ts'
import type { Certificate } from '../../../contract/certificate.ts'
import { type Finding, fact, type Issue, type IssueDraft, issue } from '../../../contract/issue.ts'
import type { Locale } from '../../../contract/locale.ts'
import type { AllowedRepairs } from '../../../contract/validator.ts'
import { mostFindings } from '../../../schema/evaluate/interpreter.ts'
import { budgetFor } from '../../../schema/step-budget.ts'
import type { JsonCode, JsonRules } from '../inspect.ts'
import { jsonMessages } from '../messages.ts'
import { type LineItem, readLineItems } from './line-items.ts'
import { inAnswer, judgeLine, type LineVerdict, repairLine } from './line-verdict.ts'

/** The values of an answer, and what is no value. */
interface Lines {
  readonly values: readonly LineItem[]
  readonly strays: readonly Stray[]
}

/** Prose or the marks of fences, up to the next value. */
export interface Stray {
  readonly from: number
  readonly next: number
  readonly line: number
  readonly hasProse: boolean
  /** Whether it is between two values. */
  readonly isInside: boolean
}

function itemsOf({ text, bodyStart }: Answer): readonly LineItem[] {
  return readLineItems(text, bodyStart, positionAt(text, bodyStart).line)
}

/** Where only values are wanted, what is around them is taken out with its fences. */
function readLines(answer: Answer, isBare: boolean): Lines {
  const { text, bodyStart } = answer
  const items = answer.derived(itemsOf)
  const values = items.filter(({ kind }) => kind === 'value')
  const strays: Stray[] = []
  let open: Stray | undefined
  let seen = 0
  for (const { kind, from, line } of [...items, undefined].map((one) => one ?? { kind: 'end' as const, from: text.length, line: 0 })) {
    if (kind === 'prose' || (kind === 'fence' && (isBare || open)))
      open = {
        from: seen === 0 ? bodyStart : from,
        line,
        next: 0,
        isInside: false,
        ...open,
        hasProse: kind === 'prose' || open?.hasProse === true,
      }
    else if (kind === 'value' || kind === 'end') {
      if (open) strays.push({ ...open, next: from, isInside: seen > 0 && kind === 'value' })
      open = undefined
      seen++
    }
  }
  return { values, strays }
}

/** What is wrong with the values of an answer of JSON lines, and all of them when nothing is. */
export function inspectLines(answer: Answer, rules: JsonRules): Iterable<Finding<JsonCode>> | AsyncIterable<Finding<JsonCode>> {
  const isBare = rules.bare && !answer.isBetween
  const { values, strays } = readLines(answer, isBare)
  const { locale } = rules
  if (values.length === 0) {
    if (answer.isBetween) return []
    const [message, hint] = jsonMessages[locale].lines.missing
    return [issue('MISSING_JSON', message, { hint })]
  }
  const budget = budgetFor(answer.text.length)
  const judge = (item: LineItem, index: number) => judgeLine(item, { ...rules, index, budget, finishReason: answer.finishReason })
  const conclude = (verdicts: readonly LineVerdict[]): Finding<JsonCode>[] => {
    const prose = strays.filter(isWrong).slice(0, mostFindings)
    const issues: IssueDraft<JsonCode>[] = prose.map((stray) => proseIssue(stray, locale))
    let warnings = 0
    for (const one of verdicts)
      for (const found of one.issues) if (found.severity !== 'warning' || warnings++ < mostFindings) issues.push(found)
    issues.sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0))
    const last = issues.at(-1)
    const unseen = values.length - verdicts.length
    if (last && unseen > 0) issues[issues.length - 1] = { ...last, message: `${last.message} ${jsonMessages[locale].lines.unseen(unseen)}` }
    const { bodyStart, text } = answer
    if (isBare && (strays.length > 0 || bodyStart > 0))
      issues.unshift(bareIssue(values[0]?.start ?? 0, text.length - endOf(values.at(-1)), text.length, locale))
    return unseen === 0 && verdicts.every((one) => 'value' in one)
      ? [
          ...issues,
          fact(
            'value',
            verdicts.map(({ value }) => value),
          ),
        ]
      : issues
  }
  const verdicts: LineVerdict[] = []
  let errors = 0
  /** Whether enough is wrong. */
  const add = (verdict: LineVerdict): boolean => {
    verdicts.push(verdict)
    errors += errorsOf(verdict.issues).length
    return errors >= mostFindings
  }
  for (const [index, item] of values.entries()) {
    const verdict = judge(item, index)
    if (verdict instanceof Promise) return judgeLater(verdict)
    if (add(verdict)) break
  }
  return conclude(verdicts)

  /** One after the other, so that no library is asked about thousands of lines at once. */
  async function* judgeLater(next: Promise<LineVerdict>): AsyncGenerator<Finding<JsonCode>> {
    let isEnough = add(await next)
    for (let index = verdicts.length; index < values.length && !isEnough; index++)
      isEnough = add(await judge(values[index] as LineItem, index))
    yield* conclude(verdicts)
  }
}

function errorsOf<Found extends Pick<IssueDraft, 'severity' | 'path'>>(issues: readonly Found[]): readonly Found[] {
  return issues.filter(({ severity, path }) => severity !== 'warning' && path !== undefined)
}

function isWrong({ hasProse, isInside }: Stray): boolean {
  return hasProse && isInside
}

function endOf(item: LineItem | undefined): number {
  return item === undefined ? 0 : item.start + item.text.length
}

/** Says that prose is between values: whatever it was meant as, it would be lost. */
export function proseIssue({ from, next, line }: Stray, locale: Locale): IssueDraft<'INVALID_JSON'> {
  const [message, hint] = jsonMessages[locale].lines.prose(line)
  return issue('INVALID_JSON', message, { hint, span: { start: from, end: next } })
}

/** Says that the values are not all of the answer. */
export function bareIssue(before: number, after: number, length: number, locale: Locale): IssueDraft<'JSON_NOT_BARE'> {
  const [message, hint] = jsonMessages[locale].lines.around(before, after)
  return issue('JSON_NOT_BARE', message, { hint, span: before > 0 ? { start: 0, end: before } : { start: length - after, end: length } })
}

/** The change that takes out what is no value; between two values it may have been meant as one. */
export function dropStray(stray: Stray, text: string): Certificate {
  const { from, next, hasProse } = stray
  return {
    rule: hasProse ? 'drop-prose' : 'drop-fence',
    class: isWrong(stray) ? 'lossy' : 'lossless',
    span: { start: from, end: next },
    before: text,
    after: '',
  }
}

/** Yields the changes that make wrong lines right, each like an answer of its own, and take out what is around and between them where that is due. */
export function* repairLines(answer: Answer, issues: readonly Issue[], rules: JsonRules, allowed: AllowedRepairs): Generator<Certificate> {
  const { text, bodyStart } = answer
  const wantsBare = rules.bare && !answer.isBetween
  const { values, strays } = readLines(answer, wantsBare)
  const isBare = wantsBare && values.length > 0
  if (isBare && bodyStart > 0)
    yield { rule: 'drop-reasoning', class: 'lossless', span: { start: 0, end: bodyStart }, before: text.slice(0, bodyStart), after: '' }
  for (const stray of strays) if (isBare || isWrong(stray)) yield dropStray(stray, text.slice(stray.from, stray.next))
  const wrong = new Map<unknown, boolean>()
  for (const { code, path = [] } of issues) wrong.set(path[0], wrong.get(path[0]) === true || code === 'SCHEMA_MISMATCH')
  const errors = errorsOf(issues)
  const failed = new Set(errors.map(({ path }) => Number(path?.[0])))
  // What was not looked at may be as wrong.
  const seen = errors.length < mostFindings ? values.length : Math.max(...failed) + 1
  let isHopeless = false
  for (const [index, item] of values.entries()) {
    if (index >= seen && isHopeless) return
    const mismatched = index < seen ? wrong.get(index) : true
    if (mismatched === undefined) continue
    const lineRules = { ...rules, index, finishReason: answer.finishReason }
    const changes = inAnswer(repairLine(item, lineRules, allowed, mismatched || rules.check?.decides === true), item.start)
    yield* changes
    // Where a line stays wrong, further ones need not be made right.
    if (changes.length === 0 && failed.has(index)) isHopeless = true
  }
}
