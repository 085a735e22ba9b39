import type { Answer } from '../../answer/answer.ts'
import type { CodeBlock } from '../../answer/outline.ts'
import type { TextSpan } from '../../answer/span.ts'
import { endOfBrackets } from './brackets.ts'
import { valueStart } from './value-start.ts'

/** Where the JSON of an answer is. */
export type JsonPlace = RightPlace | WrongPlace

/** A region that is a JSON value; what is around it is white space, a fence or prose. */
export interface RightPlace {
  readonly region: TextSpan
  readonly valid: true
  readonly value: unknown
}

interface WrongPlace {
  /** From the first character of the value to the last one that may belong to it. */
  readonly region: TextSpan
  readonly valid: false
}

/** Only so many brackets in prose are tried, so that time stays linear. */
const mostTries = 32

/** Finds the one JSON value that an answer is or holds: alone, in a fence, or amid prose; undefined when nothing looks like one. */
export function locateJson(answer: Answer): JsonPlace | undefined {
  const body = trimmed(answer.text, { start: answer.bodyStart, end: answer.text.length })
  if (body.start >= body.end) return undefined
  const whole = readJson(answer.text, body)
  if (whole) return whole
  // What begins with a bracket is the value itself, and no prose with a value in it.
  if (isBracket(answer.text, body.start)) return unlessReference(answer.text, body, atStart(answer.text, body))
  return inFence(answer) ?? inProse(answer.text, body) ?? alone(answer.text, body)
}

/** Whether a part of a text is JSON. */
export function isJson(text: string, region: TextSpan): boolean {
  return readJson(text, region) !== undefined
}

/** The value of a part of a text, where that is JSON. */
export function readJson(text: string, region: TextSpan): RightPlace | undefined {
  const { start, end } = region
  if (!couldBeJson(text, start, end)) return undefined
  try {
    return { region, valid: true, value: JSON.parse(text.slice(start, end)) }
  } catch {
    return undefined
  }
}

/** By the first letters, which prose fails: the parser would give the same result with an error, which is expensive. */
function couldBeJson(text: string, start: number, end: number): boolean {
  const first = text.charAt(start)
  switch (first) {
    case '{':
      return /["}]/.test(visibleFrom(text, start + 1))
    case '[':
      return /["{[\]\-\dtfn]/.test(visibleFrom(text, start + 1))
    case 't':
      return text.startsWith('true', start)
    case 'f':
      return text.startsWith('false', start)
    case 'n':
      return text.startsWith('null', start)
    default:
      return /[\s"]/.test(first) || (/[-\d]/.test(first) && endOfNumber(text, start) >= end)
  }
}

/** The first character that is not white space of JSON. */
function visibleFrom(text: string, from: number): string {
  let at = from
  while (/[ \t\r\n]/.test(text.charAt(at))) at++
  return text.charAt(at)
}

/** After the characters that numbers are written with, and white space after them. */
function endOfNumber(text: string, from: number): number {
  let at = from
  while (/[-+.\deE]/.test(text.charAt(at))) at++
  while (/\s/.test(text.charAt(at))) at++
  return at
}

function isBracket(text: string, at: number): boolean {
  return text.charCodeAt(at) === 123 || text.charCodeAt(at) === 91
}

function atStart(text: string, body: TextSpan): JsonPlace {
  const end = endOfBrackets(text, body.start, body.end)
  const region = { start: body.start, end: end ?? body.end }
  const read = end !== undefined && isProse(text.slice(end, body.end), 'behind') ? readJson(text, region) : undefined
  return read ?? { region: body, valid: false }
}

/** Words after `[1]` may hold the value that is meant. */
function unlessReference(text: string, body: TextSpan, place: JsonPlace): JsonPlace {
  if (!place.valid || valueStart(text, body.start, false).kind !== 'none') return place
  const other = inProse(text, body)
  return other?.valid ? other : place
}

function inFence({ text, codeBlocks }: Answer): JsonPlace | undefined {
  let first: TextSpan | undefined
  let inOtherLanguage: RightPlace | undefined
  for (const block of codeBlocks) {
    if (!block.verbatim || !looksLikeJson(block)) continue
    const region = trimmed(text, block.contentSpan)
    const read = readJson(text, region)
    if (read && isJsonLanguage(block.language)) return read
    inOtherLanguage ??= read
    first ??= region
  }
  return inOtherLanguage ?? (first && { region: first, valid: false })
}

/** Whether a fence with this info may show the value itself, and not a program. */
export function isJsonLanguage(language: string): boolean {
  return language === '' || language.startsWith('json')
}

function looksLikeJson(block: CodeBlock): boolean {
  // The content is joined from its lines when it is asked for.
  return block.language.startsWith('json') || /^\s*[[{]/.test(block.content)
}

/** A value in brackets between words: the first one that is right and more than `[1]`, else the first that could be meant. */
function inProse(text: string, body: TextSpan): JsonPlace | undefined {
  let first: TextSpan | undefined
  let small: RightPlace | undefined
  let at = nextBracket(text, body.start, body.end)
  for (let tries = 0; at >= 0 && tries < mostTries; tries++) {
    const end = endOfBrackets(text, at, body.end)
    const region = { start: at, end: end ?? body.end }
    const read = end === undefined ? undefined : readJson(text, region)
    if (read && isProse(text.slice(body.start, at), 'before') && isProse(text.slice(region.end, body.end), 'behind')) {
      if (valueStart(text, at, false).kind !== 'none') return read
      small ??= read
    }
    const looksMeant = !read && valueStart(text, at, true).kind !== 'none'
    if (first === undefined && (text[at] === '{' || looksMeant)) first = { start: at, end: body.end }
    // What is inside a value that is not quite right is a part of it, and not the answer.
    at = nextBracket(text, read || looksMeant ? region.end : at + 1, body.end)
  }
  // An object that is not quite right is rather meant than a reference such as `[1]`.
  if (small && !(first && valueStart(text, first.start, true).kind !== 'none')) return small
  return first && { region: first, valid: false }
}

/** The next bracket that opens something, or -1. */
export function nextBracket(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    if (isBracket(text, at)) return at
  }
  return -1
}

/** Prose keeps its distance from the value, and has words; anything else around it is a mistake. */
function isProse(text: string, side: 'before' | 'behind'): boolean {
  if (text === '') return true
  const apart = side === 'before' ? /[\s:>]$/.test(text) : /^\s/.test(text)
  return apart && (/\p{L}{2}/u.test(text) || text.trim() === '')
}

/** A value without brackets that is not quite right; a sentence is none. */
function alone(text: string, body: TextSpan): JsonPlace | undefined {
  const piece = text.slice(body.start, Math.min(body.end, body.start + 64))
  const couldBe =
    /^["'“]/.test(piece) ||
    /^(?:-?\d|true|false|null|nul?$|tru?$|fals?$|True|False|None)[^\s]{0,32}\s*,?$/.test(piece) ||
    /^(?:\/\/|\/\*)/.test(piece)
  return couldBe ? { region: body, valid: false } : undefined
}

/** A part of a text without the white space around it. */
export function trimmed(text: string, { start, end }: TextSpan): TextSpan {
  let from = start
  let to = end
  while (from < to && isSpace(text, from)) from++
  while (to > from && isSpace(text, to - 1)) to--
  return { start: from, end: to }
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code <= 32 || code >= 127 ? /\s/.test(text.charAt(at)) : false
}
