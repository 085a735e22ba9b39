import { Answer } from '../../../answer/answer.ts'
import { hasBreak } from '../../../answer/lines.ts'
import type { Certificate, RepairClass } from '../../../contract/certificate.ts'
import { type IssueDraft, issue } from '../../../contract/issue.ts'
import type { AllowedRepairs } from '../../../contract/validator.ts'
import { type JsonNode, readJsonTree } from '../../../json/json-tree.ts'
import { comma, endOfText, isOpening, JsonWalker } from '../../../json/json-walker.ts'
import { endOfString } from '../../../json/scan.ts'
import { applyEdits } from '../../../repairs/apply.ts'
import { inspectJson, type JsonCode, type JsonRules } from '../inspect.ts'
import { jsonMessages } from '../messages.ts'
import { repairJsonAnswer } from '../repair.ts'
import type { LineItem } from './line-items.ts'

/** What the value of a line is judged by: its number among the values, why the answer ended, and the rules for one value. */
interface LineRules extends Omit<JsonRules, 'line'> {
  readonly index: number
  readonly finishReason: string | undefined
}

/** What is wrong with the value of a line, and the value where there is one. */
export interface LineVerdict {
  readonly issues: readonly IssueDraft<JsonCode>[]
  readonly isWrong: boolean
  readonly value?: unknown
}

/** Codes whose messages name the line. */
const placed: ReadonlySet<JsonCode> = new Set(['INVALID_JSON', 'AMBIGUOUS_JSON'])

/** Judges the value of a line like an answer of its own; at once unless the schema takes its time. */
export function judgeLine(item: LineItem, rules: LineRules): LineVerdict | Promise<LineVerdict> {
  const { index, locale } = rules
  const say = jsonMessages[locale].lines
  const list = listOfValues(item, rules)
  if (list) return { issues: [misplaced('SCHEMA_MISMATCH', say.list(item.line, list.length), item, index)], isWrong: true }
  const row = rowOfValues(item, rules)
  if (row) return { issues: [misplaced('AMBIGUOUS_JSON', say.together(item.line, row.length), item, index)], isWrong: true }
  const conclude = (found: readonly ReturnType<typeof shifted>[number][]): LineVerdict => {
    const issues = found.flatMap((one) => (one.kind === 'issue' ? [one] : []))
    const isWrong = issues.some(({ severity }) => severity !== 'warning')
    if (!isWrong && hasBreak(item.text)) {
      const [message, hint] = say.several(item.line, item.lastLine)
      return { issues: [...issues, misplaced('INVALID_JSON', [message, hint], item, index)], isWrong: true }
    }
    const [value] = found.flatMap((one) => (one.kind === 'fact' ? [one] : []))
    return { issues, isWrong, ...(value && { value: value.value }) }
  }
  const shift = (one: Parameters<typeof shifted>[0]) => shifted(one, item, index, say.inLine)
  const found = inspectJson(lineAnswer(item, rules), { ...rules, partial: rules.partial && item.isLast, bare: true, line: item.line })
  if (!(Symbol.asyncIterator in found)) return conclude([...found].flatMap(shift))
  return (async () => {
    const all: Found[] = []
    for await (const one of found) for (const moved of shift(one)) all.push(moved)
    return conclude(all)
  })()
}

type Found = Exclude<ReturnType<typeof inspectJson>, AsyncIterable<unknown>> extends Iterable<infer One> ? One : never

/** A finding as one of the whole answer. */
function shifted(one: Found, { start, line }: LineItem, index: number, inLine: (line: number, message: string) => string): Found[] {
  if (one.kind === 'fact') return [one]
  const { message, code, path = [], span } = one
  return [
    {
      ...one,
      message: placed.has(code) ? message : inLine(line, message),
      path: [index, ...path],
      ...(span && { span: { start: span.start + start, end: span.end + start } }),
    },
  ]
}

function misplaced(
  code: JsonCode,
  [message, hint]: readonly [string, string],
  { start, text }: LineItem,
  index: number,
): IssueDraft<JsonCode> {
  return issue(code, message, { hint, path: [index], span: { start, end: start + text.length } })
}

/** Only what the answer ends with may be cut off. */
function lineAnswer({ text, isLast }: LineItem, { finishReason }: LineRules): Answer {
  return new Answer(text, { finishReason: isLast ? finishReason : 'stop' })
}

/** The items of a list in place of values one by one: the schema refuses it, and accepts each of them. */
function listOfValues({ text }: LineItem, { check, budget }: LineRules): readonly JsonNode[] | undefined {
  if (check === undefined || !text.startsWith('[')) return undefined
  const tree = readJsonTree(text)
  const items = tree?.items ?? []
  if (tree === undefined || items.length === 0) return undefined
  const verdict = check.validate(tree.value, text, budget)
  const isRefused = !(verdict instanceof Promise) && verdict.problems.some(({ path }) => path.length === 0)
  return isRefused && items.every(({ value, start, end }) => accepts(value, text.slice(start, end), check, budget)) ? items : undefined
}

function accepts(value: unknown, text: string, check: LineRules['check'], budget: LineRules['budget']): boolean {
  const one = check?.validate(value, text, budget)
  return !(one instanceof Promise) && (one === undefined || one.problems.length === 0)
}

/** Where a value is in a line. */
type Place = Pick<JsonNode, 'start' | 'end'>

/** Objects and lists one after the other, also with commas between them, each as the schema wants it. */
function rowOfValues({ text }: LineItem, { check, budget }: LineRules): readonly Place[] | undefined {
  const places = placesOf(text)
  if (places.length < 2) return undefined
  const isRow = places.every(({ start, end }) => {
    const one = text.slice(start, end)
    const tree = readJsonTree(one)
    return tree !== undefined && accepts(tree.value, one, check, budget)
  })
  return isRow ? places : undefined
}

/** The outermost brackets of a line that has nothing else but white space, and a comma between two; none where they do not match. */
function placesOf(text: string): readonly Place[] {
  const places: Place[] = []
  const walker = new JsonWalker(text)
  let isOpen = false
  for (let code = walker.next(); code !== endOfText; code = walker.next()) {
    if (code === comma ? isOpen || places.length === 0 : !isOpening(code)) return []
    isOpen = code === comma
    const { start } = walker
    if (!isOpen && !walker.close()) return []
    if (!isOpen) places.push({ start, end: walker.end })
  }
  return isOpen ? [] : places
}

/** The changes that would make the value of a line right, like those of an answer of its own; spans count in its text. */
export function repairLine(item: LineItem, rules: LineRules, allowed: AllowedRepairs, mismatched: boolean): Certificate[] {
  const { check, partial, index } = rules
  const list = listOfValues(item, rules)
  if (list) return [...splitList(item.text, list, 'split-list')]
  const row = rowOfValues(item, rules)
  if (row) return [...splitList(item.text, row, 'split-line')]
  const json = check?.json ? { json: check.json } : {}
  const settings = { partial: partial && item.isLast, allowed, mismatched, bare: true, accepts: check?.accepts, ...json }
  const found = [...repairJsonAnswer(lineAnswer(item, rules), settings)]
  const changes =
    found.length === 0 && hasBreak(item.text) && readJsonTree(item.text) ? [...joinLines(item.text, 0, item.text.length)] : found
  return changes.map((one) => ({ ...one, path: [index, ...(one.path ?? [])] }))
}

/** repair: a list of values in place of lines, or several values on one line */
function* splitList(text: string, items: readonly Place[], rule: 'split-list' | 'split-line'): Generator<Certificate> {
  let at = 0
  for (const { start, end } of items) {
    if (at > 0 || start > 0) yield change(rule, text, at, start, at === 0 ? '' : '\n')
    yield* joinLines(text, start, end)
    at = end
  }
  if (at < text.length) yield change(rule, text, at, text.length, '')
}

/** repair: a value over several lines */
function* joinLines(text: string, from: number, to: number): Generator<Certificate> {
  for (let at = from; at < to; at++) {
    if (text[at] === '"') at = endOfString(text, at + 1, to)
    if (!/\s/.test(text.charAt(at))) continue
    const start = at
    while (/\s/.test(text.charAt(at + 1))) at++
    const isApart = /[,:]/.test(text.charAt(start - 1))
    if (hasBreak(text.slice(start, at + 1))) yield change('join-lines', text, start, at + 1, isApart ? ' ' : '')
  }
}

function change(rule: string, text: string, start: number, end: number, after: string): Certificate {
  return { rule, class: 'lossless', span: { start, end }, before: text.slice(start, end), after }
}

/** The changes that make a line right, and its text with them: several lines where it was a list. */
interface FixedLine {
  readonly changes: readonly Certificate[]
  readonly text: string
}

/** Repairs of repairs must end. */
const mostRounds = 8

/**
 * The changes that make the value of a wrong line right; undefined when no changes do that may be made, or the schema takes its time to say so. Where one
 * repair builds on another, they are one change.
 */
export function fixLine(item: LineItem, rules: LineRules, allow: readonly RepairClass[]): FixedLine | undefined {
  const made: Certificate[] = []
  let current = item
  for (let round = 0; round < mostRounds; round++) {
    const isSplit = (listOfValues(current, rules) ?? rowOfValues(current, rules)) !== undefined
    const changes = repairLine(current, rules, { usual: allow, now: allow }, true).filter((one) => allow.includes(one.class))
    const text = changes.length > 0 ? applyEdits(current.text, changes) : undefined
    if (text === undefined || text === current.text) return undefined
    for (const change of changes) made.push(change)
    current = { ...current, text }
    const verdict = isSplit ? { isWrong: false } : judgeLine(current, rules)
    if (verdict instanceof Promise) {
      verdict.catch(() => {})
      return undefined
    }
    if (verdict.isWrong) continue
    const { start } = item
    if (round === 0) return { text, changes: inAnswer(made, start) }
    const riskiest = (['guess', 'lossy', 'lossless'] as const).find((one) => made.some((change) => change.class === one)) ?? 'lossless'
    const span = { start: 0, end: item.text.length }
    const whole = { rule: 'repair-line', class: riskiest, span, before: item.text, after: text, path: [rules.index] }
    return { text, changes: inAnswer([whole], start) }
  }
  return undefined
}

/** Changes of a line as those of the answer, in text order. */
export function inAnswer(changes: readonly Certificate[], offset: number): readonly Certificate[] {
  return changes
    .map((one) => ({ ...one, span: { start: one.span.start + offset, end: one.span.end + offset } }))
    .sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)
}
