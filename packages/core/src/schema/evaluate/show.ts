import { isArray, isObject, kindOf } from '../../json/json-value.ts'

/** Fences a piece of model text for a message. */
export type Quote = (modelText: string) => string

const longest = 80

/** Fences a text as one line in quotes, clamped. */
export const quoteJson: Quote = (text) => quoteJsonAtMost(text, longest)

/** Fences a text as one line in quotes, with at most `limit` characters of it. */
export function quoteJsonAtMost(text: string, limit: number): string {
  const clamped = text.length > limit ? `${wholeWords(text, limit - 1)}…` : text
  return JSON.stringify(clamped).replace(/[\u007f-\u009f\u2028\u2029\p{Cf}]/gu, escapeUnits)
}

/** The start of a text, which ends with a whole word where the last one is not long, and never with half a character. */
function wholeWords(text: string, end: number): string {
  const start = text.slice(0, end).replace(/[\ud800-\udbff]$/, '')
  if (!/[\p{L}\p{N}]$/u.test(start) || !/^[\p{L}\p{N}]/u.test(text.slice(end, end + 2))) return start.trimEnd()
  const space = start.search(/\s\S{1,30}$/)
  return space > 0 ? start.slice(0, space).trimEnd() : start
}

/** A regular expression as it is written: on one line in quotes, clamped, with its own escapes and no others. */
export const quotePattern: Quote = (source) => quoteJson(source).replace(/\\(["\\])/g, '$1')

/** Invisible characters can still be read by a model. */
function escapeUnits(char: string): string {
  return Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
}

/** A value in few words. */
export function show(value: unknown, quote: Quote): string {
  if (typeof value === 'string') return `the string ${quote(value)}`
  if (isArray(value)) return `an array of ${count(value.length, 'item')}`
  if (isObject(value)) return `an object of ${count(Object.keys(value).length, 'property')}`
  return typeof value === 'number' ? `the number ${value}` : String(value)
}

/** A value that a schema names, as JSON on one line, clamped. */
export function showAllowed(value: unknown, quote: Quote): string {
  if (typeof value === 'string') return quote(value)
  if (kindOf(value) !== 'object' && kindOf(value) !== 'array') return String(value)
  const text = JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}

/** A list for a sentence, cut after twenty. */
export function list(words: readonly string[], joint: 'or' | 'and'): string {
  const shown = words.length > 20 ? [...words.slice(0, 20), `${words.length - 20} more`] : words
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(', ')} ${joint} ${shown.at(-1)}`
}

/** A number and the word for what it counts. */
export function count(number: number, word: 'item' | 'property' | 'character'): string {
  if (number === 1) return `1 ${word}`
  return `${number} ${word === 'property' ? 'properties' : `${word}s`}`
}

/** A path as people write it, such as `user.tags[0]`; the whole value is `the value`. */
export function showPath(path: readonly (string | number)[], quote: Quote): string {
  let text = ''
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`
    else if (/^[A-Za-z_$][\w$-]{0,79}$/.test(segment)) text += text === '' ? segment : `.${segment}`
    else text += `[${quoteJson(segment)}]`
  }
  return text === '' ? 'the value' : text.length > 200 ? quote(text) : text
}
