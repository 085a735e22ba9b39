import { isDigit } from '../../answer/characters.ts'
import type { TextSpan } from '../../answer/span.ts'
import { isSpace } from '../../answer/words.ts'
import { parseJson } from '../../json/parse-json.ts'
import { skipSpace } from '../../json/scan.ts'

/** A region that is a JSON value; what is around it is white space, a fence or prose. */
export interface RightPlace {
  readonly region: TextSpan
  readonly valid: true
  readonly value: unknown
}

/** Whether a part of a text is JSON. */
export function isJson(text: string, region: TextSpan): boolean {
  return readJson(text, region) !== undefined
}

/** The value of a part of a text, where that is JSON. */
export function readJson(text: string, region: TextSpan): RightPlace | undefined {
  const { start, end } = region
  if (!couldBeJson(text, start, end)) return undefined
  const value = parseJson(text.slice(start, end))
  return value === undefined ? undefined : { region, valid: true, value }
}

/** By the first letters, which prose fails: the parser would give the same result with an error, which is expensive. */
function couldBeJson(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start)
  switch (first) {
    case 123:
      return '"}'.includes(visibleFrom(text, start + 1))
    case 91:
      return '"{[]-0123456789tfn'.includes(visibleFrom(text, start + 1))
    case 116:
      return text.startsWith('true', start)
    case 102:
      return text.startsWith('false', start)
    case 110:
      return text.startsWith('null', start)
    default:
      return first === 34 || isSpace(first) || ((first === 45 || isDigit(first)) && endOfNumber(text, start) >= end)
  }
}

/** The first character that is not white space of JSON. */
function visibleFrom(text: string, from: number): string {
  return text[skipSpace(text, from)] ?? ' '
}

/** After the characters that numbers are written with, and white space after them. */
function endOfNumber(text: string, from: number): number {
  let at = from
  while (/[-+.\deE]/.test(text.charAt(at))) at++
  while (/\s/.test(text.charAt(at))) at++
  return at
}

/** A part of a text without the white space around it. */
export function trimmed(text: string, { start, end }: TextSpan): TextSpan {
  let from = start
  let to = end
  while (from < to && isSpace(text.charCodeAt(from))) from++
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--
  return { start: from, end: to }
}
