import type { Answer } from '../../answer/answer.ts'
import { hasEnded } from '../../answer/finish-reason.ts'
import { positionAt, type TextSpan } from '../../answer/span.ts'
import type { Certificate } from '../../contract/certificate.ts'
import { type Finding, fact, issue, type Severity } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { quote } from '../../contract/quote.ts'
import { type DuplicateKey, findDuplicateKeys } from '../../json/duplicate-keys.ts'
import { infiniteNumber } from '../../json/infinite-number.ts'
import { nodeAt, readJsonTree } from '../../json/json-tree.ts'
import { type JsonRepair, repairJson } from '../../repairs/json/repair-json.ts'
import { showPath } from '../../schema/evaluate/show.ts'
import { type SchemaProblem, wordsOf } from '../../schema/problem.ts'
import type { StepBudget } from '../../schema/step-budget.ts'
import { type JsonPlace, locateJson } from '../shared/locate-json.ts'
import { rejectDeepJson } from '../shared/too-complex-value.ts'
import type { jsonCodes } from './codes.ts'
import { followed, outOfRange } from './faults.ts'
import { jsonMessages } from './messages.ts'
import { findSecondValue, findValueBehind, type SecondValue } from './second-value.ts'
import type { CheckedValue, ValueCheck } from './value-check.ts'

/** The codes of issues with JSON. */
export type JsonCode = keyof typeof jsonCodes

/** What the JSON of an answer is judged by. */
export interface JsonRules {
  readonly check: ValueCheck | undefined
  /** Whether a value that is cut off may be completed. */
  readonly partial: boolean
  readonly duplicateKeys: Severity
  /** Whether the answer should be the value alone. */
  readonly bare: boolean
  readonly locale: Locale
  /** The line of the answer in which the text begins, where it is only a part of it. */
  readonly line?: number
  /** What all parts of the answer may cost together. */
  readonly budget?: StepBudget
}

/** What is wrong with the JSON of an answer, and its value when nothing is; at once unless the schema takes its time. */
export function inspectJson(
  answer: Answer,
  { check, partial, duplicateKeys, bare, locale, line = 1, budget }: JsonRules,
): Iterable<Finding<JsonCode>> | AsyncIterable<Finding<JsonCode>> {
  const place = locateJson(answer, check?.accepts)
  if (place === undefined) {
    // A turn that calls tools is not the answer yet: what it says beside them is not meant as JSON.
    if (answer.isBetween) return []
    const [message, hint] = jsonMessages[locale].missing
    return [issue('MISSING_JSON', message, { hint })]
  }
  if (!place.valid) return [describeFault(answer, place, partial, locale, line)]
  const second = findSecondValue(answer, place, check?.accepts)
  if (second) return [describeSecond(answer.text, second, locale, line)]
  const { start, end } = place.region
  const text = answer.text.slice(start, end)
  rejectDeepJson(text)
  const infinite = infiniteNumber(place.value)
  if (infinite) return [describeInfinite(answer.text, place.region, infinite, locale, line)]
  const found = findDuplicateKeys(text).map((twin) => describeTwin(twin, start, duplicateKeys, locale))
  if (bare && !answer.isBetween && !isBare(answer, place.region)) found.push(describeAround(answer.text, place.region, locale))
  if (check === undefined) return [...found, fact('value', place.value)]
  const checked = check.validate(place.value, text, budget)
  if (checked instanceof Promise) return describeLater(found, checked, text, start, locale)
  return [...found, ...describeChecked(checked, text, start, locale)]
}

async function* describeLater(
  found: readonly Finding<JsonCode>[],
  checked: Promise<CheckedValue>,
  text: string,
  start: number,
  locale: Locale,
): AsyncGenerator<Finding<JsonCode>> {
  yield* found
  yield* describeChecked(await checked, text, start, locale)
}

/** A number that no reader of floating point numbers can represent is not handed on as infinite. */
function describeInfinite(
  text: string,
  { start, end }: TextSpan,
  path: readonly (string | number)[],
  locale: Locale,
  firstLine: number,
): Finding<JsonCode> {
  const tree = readJsonTree(text.slice(start, end))
  const node = tree && nodeAt(tree, path)
  const span = node ? { start: node.start + start, end: node.end + start } : { start, end }
  const { line, column } = positionAt(text, span.start)
  const [message, hint] = jsonMessages[locale].invalid(outOfRange, line + firstLine - 1, column)
  return issue('INVALID_JSON', message, { hint, path, span })
}

function describeSecond(text: string, { region }: SecondValue, locale: Locale, firstLine: number): Finding<JsonCode> {
  const { line, column } = positionAt(text, region.start)
  const [message, hint] = jsonMessages[locale].ambiguous(line + firstLine - 1, column)
  return issue('AMBIGUOUS_JSON', message, { hint, span: region })
}

function describeAround({ length }: string, { start, end }: TextSpan, locale: Locale): Finding<JsonCode> {
  const [message, hint] = jsonMessages[locale].around(start, length - end)
  return issue('JSON_NOT_BARE', message, { hint, span: start > 0 ? { start: 0, end: start } : { start: end, end: length } })
}

function describeTwin({ path, start, end }: DuplicateKey, offset: number, severity: Severity, locale: Locale): Finding<JsonCode> {
  const [message, hint] = jsonMessages[locale].duplicate(showPath(path, quote))
  return issue('DUPLICATE_KEY', message, { hint, severity, path, span: { start: start + offset, end: end + offset } })
}

function describeChecked({ problems, value }: CheckedValue, text: string, start: number, locale: Locale): Finding<JsonCode>[] {
  return problems.length === 0 ? [fact('value', value)] : [...describeProblems(problems, text, start, locale), fact('value', value)]
}

function describeFault(answer: Answer, { region }: JsonPlace, partial: boolean, locale: Locale, firstLine: number): Finding<JsonCode> {
  const { text } = answer
  const read = repairJson(text.slice(region.start, region.end))
  if (!partial && isCutOff(answer, region, read)) {
    const [message, hint] = jsonMessages[locale].truncated
    return issue('TRUNCATED', message, { hint, span: { start: region.end, end: region.end } })
  }
  const second = findBehindRight(text, region, read)
  if (second) return describeSecond(text, second, locale, firstLine)
  const at = region.start + (read.ok ? (read.edits[0]?.start ?? read.end) : read.at)
  const reason = read.ok ? (read.edits[0]?.rule ?? followed) : read.reason
  const { line, column } = positionAt(text, at)
  const [message, hint] = jsonMessages[locale].invalid(reason, line + firstLine - 1, column)
  return issue('INVALID_JSON', message, { hint, span: { start: at, end: Math.min(text.length, at + 1) } })
}

/** Finds another value after one that is right as it is; what touches a closing quote may as well belong to the string. */
export function findBehindRight(text: string, { start, end }: TextSpan, read: JsonRepair): SecondValue | undefined {
  if (!read.ok || read.edits.length > 0) return undefined
  const from = start + read.end
  return typeof read.value === 'string' && !/[\s,]/.test(text[from] ?? '') ? undefined : findValueBehind(text, from, end)
}

/** Whether JSON that lacks its end was cut off there, for all that is known: the answer ends with it, and no finish reason says that it is whole. */
export function isCutOff({ text, finishReason }: Answer, { start, end }: TextSpan, read: JsonRepair): boolean {
  const isOpen = read.ok ? read.cut !== 'none' : read.cut === 'inside'
  return isOpen && !hasEnded(finishReason) && text.slice(read.ok ? start + read.end : end).trim() === ''
}

function* describeProblems(problems: readonly SchemaProblem[], text: string, offset: number, locale: Locale): Generator<Finding<JsonCode>> {
  const tree = readJsonTree(text)
  for (const problem of problems) {
    const { path } = problem
    const node = tree && nodeAt(tree, path)
    const span = node ? { span: { start: node.start + offset, end: node.end + offset } } : {}
    yield issue('SCHEMA_MISMATCH', wordsOf(problem, locale), { path, ...span })
  }
}

/** Whether the text outside of a value is only white space that JSON itself allows around it. */
function isBare({ text }: Answer, { start, end }: TextSpan): boolean {
  return isJsonSpace(text, 0, start) && isJsonSpace(text, end, text.length)
}

/** repair: everything around the value, where the value alone is wanted */
export function* dropAround(answer: Answer, { start, end }: TextSpan): Generator<Certificate> {
  const { text, bodyStart } = answer
  if (isBare(answer, { start, end })) return
  const fence = answer.inFence(start) ? answer.codeBlocks.find(({ span }) => span.start <= start && end <= span.end)?.span : undefined
  const opens = Math.max(bodyStart, fence?.start ?? start)
  // A line break after the fence goes with it.
  const closes = fence && text.slice(fence.end).trim() === '' ? text.length : (fence?.end ?? end)
  const spans: readonly (readonly [rule: string, from: number, to: number])[] = [
    ['drop-reasoning', 0, bodyStart],
    ['drop-prose', bodyStart, opens],
    ['drop-fence', opens, start],
    ['drop-fence', end, closes],
    ['drop-prose', closes, text.length],
  ]
  for (const [rule, from, to] of spans)
    if (to > from) yield { rule, class: 'lossless', span: { start: from, end: to }, before: text.slice(from, to), after: '' }
}

function isJsonSpace(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!' \t\r\n'.includes(text.charAt(at))) return false
  return true
}
