import type { Answer } from '../../answer/answer.ts'
import { isLetter } from '../../answer/characters.ts'
import type { CodeBlock } from '../../answer/outline.ts'
import type { TextSpan } from '../../answer/span.ts'
import { endOfBrackets } from '../../json/json-walker.ts'
import { type JsonEdit, repairJson } from '../../repairs/json/repair-json.ts'
import { type AcceptedKinds, isBracket, nextBracket, noSchema, type ProseValue, proseValues } from './prose-values.ts'
import { type RightPlace, readJson, trimmed } from './read-json.ts'
import { valueStart } from './value-start.ts'

/** Where the JSON of an answer is. */
export type JsonPlace = RightPlace | WrongPlace

interface WrongPlace {
  /** From the first character of the value to the last one that may belong to it. */
  readonly region: TextSpan
  readonly valid: false
}

/** Languages of code blocks that show a JSON value. */
const jsonLanguages = new Set(['json', 'jsonc', 'json5'])

/**
 * Finds the one JSON value that an answer is or holds, in the order in which it is meant: the whole text, a fence tagged as JSON, a fence without a tag,
 * a value alone on its lines, a value in a line of prose. Undefined when nothing is written as one.
 */
export function locateJson(answer: Answer, accepts: AcceptedKinds = noSchema): JsonPlace | undefined {
  const { text } = answer
  const body = trimmed(text, { start: answer.bodyStart, end: text.length })
  if (body.start >= body.end) return undefined
  return (
    readJson(text, body) ??
    wholeText(text, body) ??
    inFence(answer, (language) => jsonLanguages.has(language)) ??
    inFence(answer, (language) => language === '') ??
    inProse(answer, body, accepts) ??
    scalarAlone(text, body) ??
    beyondRepair(text, body)
  )
}

/** Whether a fence with this info shows a value, and not a program. */
export function isJsonLanguage(language: string): boolean {
  return language === '' || jsonLanguages.has(language)
}

/** Anything longer is text, not a name or a comment. */
const mostBefore = 256

/** The name of a function, a comment or backticks right before the bracket of a value that is the whole text. */
export function wrapperBefore(text: string, from: number): string {
  if (beginsWithWords(text, from)) return ''
  const before =
    /^(?:\s|\/\*[^*]*\*\/)*(?:[\w$.]+\s*\(\s*|`{1,3}(?:json)?)?(?=[[{])/i.exec(text.slice(from, from + mostBefore + 1))?.[0] ?? ''
  return before.trim() === '' ? '' : before
}

/** Prose does, and none of that. */
function beginsWithWords(text: string, from: number): boolean {
  let end = from
  while (isLetter(text.charCodeAt(end)) && end - from < mostBefore) end++
  return end > from && text.charCodeAt(end) === 32 && isLetter(text.charCodeAt(end + 1))
}

/** What begins with a bracket and ends with it is the value itself, even if it is not quite right. */
function wholeText(text: string, body: TextSpan): JsonPlace | undefined {
  const region = { start: body.start + wrapperBefore(text, body.start).length, end: body.end }
  if (!isBracket(text, region.start)) return undefined
  const whole = readWhole(text, region)
  if (whole === undefined || (valueStart(text, region.start).kind === 'none' && isMark(whole.edits))) return undefined
  const isCommented = whole.edits.length === 0 && /^\s+\//.test(whole.rest)
  return (isCommented ? readJson(text, { ...region, end: region.end - whole.rest.length }) : undefined) ?? { region, valid: false }
}

/** The changes that make all of a region JSON, but for closing brackets, commas and comments after it. */
function readWhole(text: string, { start, end }: TextSpan): { readonly edits: readonly JsonEdit[]; readonly rest: string } | undefined {
  const read = repairJson(text.slice(start, end), { partial: true })
  const rest = read.ok ? text.slice(start + read.end, end) : ''
  return read.ok && /^(?:[\s\]}),;`]|\/\*[^*]*\*\/|\/\/[^\n]*(?:\n|$))*$/.test(rest) ? { edits: read.edits, rest } : undefined
}

/** Whether text without quotes is not an item of a list: the only one, such as `[Your Name]`, or one that ends otherwise, such as `[0, 1)`. */
function isMark(edits: readonly JsonEdit[]): boolean {
  const texts = edits.filter(({ rule }) => rule === 'quote-text')
  const isCut = edits.some(({ rule }) => rule === 'missing-closer')
  if (isCut) return texts.some(({ before }) => /[\s()]/.test(before))
  return texts.length === 1 && /^\p{L}[\p{L}\p{M}'’-]*(?::(?!\/\/)|[\s.!?]|$)/u.test(texts[0]?.before ?? '')
}

/** Only so many fences without a value are looked into for one that is not quite right. */
const mostTries = 32

/** The first fence whose content is right, otherwise the first that is meant as JSON. */
function inFence({ text, bodyStart, codeBlocks }: Answer, isMeant: (language: string) => boolean): JsonPlace | undefined {
  let first: TextSpan | undefined
  let tries = 0
  for (const block of codeBlocks) {
    if (block.span.start < bodyStart || !isMeant(block.language)) continue
    const region = regionOf(text, block)
    const read = region && readJson(text, region)
    if (read) return read
    if (region && first === undefined && tries++ < mostTries && isDamaged(text, region, block.language)) first = region
  }
  return first && { region: first, valid: false }
}

/** Where the value of a fence would be; without a tag it begins with a bracket. */
function regionOf(text: string, { language, contentSpan, verbatim }: CodeBlock): TextSpan | undefined {
  const region = verbatim ? trimmed(text, contentSpan) : insideContainer(text, contentSpan)
  return region && region.start < region.end && (language !== '' || isBracket(text, region.start)) ? region : undefined
}

/** Whether a fence is meant to show JSON; the output of a program has brackets as well. */
function isDamaged(text: string, region: TextSpan, language: string): boolean {
  if (language !== '' || valueStart(text, region.start).kind !== 'none') return true
  return readWhole(text, region)?.edits.every(({ rule }) => rule !== 'quote-text' && rule !== 'missing-comma') ?? false
}

/** The value in a fence inside of a list item or block quote, whose marks are not a part of it. */
function insideContainer(text: string, content: TextSpan): TextSpan | undefined {
  const start = nextBracket(text, content.start, content.end)
  const end = start < 0 ? undefined : endOfBrackets(text, start, content.end)
  const isAlone = end !== undefined && /^[\s>]*$/.test(text.slice(content.start, start) + text.slice(end, content.end))
  return isAlone ? { start, end } : undefined
}

/** In this order: right and alone on its lines, damaged and beginning a line, right in a line of prose, damaged there, and last what only the schema makes a value. */
function inProse(answer: Answer, body: TextSpan, accepts: AcceptedKinds): JsonPlace | undefined {
  let right: RightPlace | undefined
  let wrong: ProseValue | undefined
  let wrongInLine: ProseValue | undefined
  let weak: RightPlace | undefined
  for (const found of proseValues(answer, accepts)) {
    const isFirst = found.region.start === body.start
    if (!found.isApart.before || (found.hasBareKey && !isFirst)) continue
    if (!found.isOwnLine && answer.text[found.region.start] === '[' && !accepts.array) continue
    if (!found.read || !found.isApart.behind) {
      // What begins with a value is meant to be it.
      if (isFirst) return { region: body, valid: false }
      if (found.isOwnLine) wrong ??= found
      else wrongInLine ??= found
    } else if (found.isWeak) weak ??= found.read
    else if (found.isOwnLine) return found.read
    else right ??= found.read
  }
  return unlessUnquoted(answer.text, body, wrong) ?? right ?? unlessUnquoted(answer.text, body, wrongInLine) ?? weak
}

/** Text without quotes amid prose is prose, or a program. */
function unlessUnquoted(text: string, body: TextSpan, found: ProseValue | undefined): JsonPlace | undefined {
  if (found === undefined) return undefined
  const region = { start: found.region.start, end: body.end }
  const read = repairJson(text.slice(region.start, region.end), { partial: true })
  return read.ok && read.edits.some(({ rule }) => rule === 'quote-text' || rule === 'quote-key') ? undefined : { region, valid: false }
}

/** A value without brackets that is not quite right; a sentence is none. */
function scalarAlone(text: string, body: TextSpan): JsonPlace | undefined {
  const piece = text.slice(body.start, body.end)
  return couldBeScalar(piece) || /^(?:\/\/|\/\*)/.test(piece) ? { region: body, valid: false } : undefined
}

/** A quotation that words follow on its line. */
// backtracks: at most 400 characters
const quotation = /^["'“][^\n]*?["'”](?!:)\p{P}?[^\S\n]+\p{L}/u

/** Whether a piece of text may be a value without brackets, or an attempt at one; prose that begins with a quotation is none. */
export function couldBeScalar(piece: string): boolean {
  // An escaped quote ends nothing.
  if (/^["'“]/.test(piece)) return /["'”],?$/.test(piece) || !quotation.test(piece.slice(0, 400).replace(/\\./g, ''))
  return /^(?:-?\d|true|false|null|nul?$|tru?$|fals?$|True|False|None)[^\s]{0,32}\s*,?$/.test(piece)
}

/** All of a text in one pair of brackets, with keys or strings: an attempt at JSON that no repair can read. */
function beyondRepair(text: string, body: TextSpan): JsonPlace | undefined {
  if (!isBracket(text, body.start) || /^\{[{%#]/.test(text.slice(body.start, body.start + 2))) return undefined
  const isWhole = endOfBrackets(text, body.start, body.end) === body.end && /[":]/.test(text.slice(body.start, body.end))
  return isWhole && !repairJson(text.slice(body.start, body.end)).ok ? { region: body, valid: false } : undefined
}
