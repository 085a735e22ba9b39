import { isArray, isObject, kindOf } from '../../json/json-value.ts'
import type { Language } from '../problem.ts'

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

/** What is shown of values, by language. */
export const labels = {
  en: {
    or: 'or',
    more: (hidden: number) => `${hidden} more`,
    whole: 'the value',
    string: (quoted: string) => `the string ${quoted}`,
    number: (value: number) => `the number ${value}`,
    array: (length: number) => `an array of ${count(length, 'item')}`,
    object: (size: number) => `an object of ${count(size, 'property')}`,
  },
  de: {
    or: 'oder',
    more: (hidden: number) => `${hidden} weitere`,
    whole: 'den Wert',
    string: (quoted: string) => `die Zeichenkette ${quoted}`,
    number: (value: number) => `die Zahl ${value}`,
    array: (length: number) => `eine Liste der Länge ${length}`,
    object: (size: number) => `ein Objekt mit ${count(size, 'property', 'de')}`,
  },
} as const satisfies Readonly<Record<Language, object>>

/** A value in few words. */
export function show(value: unknown, quote: Quote, language: Language = 'en'): string {
  const say = labels[language]
  if (typeof value === 'string') return say.string(quote(value))
  if (isArray(value)) return say.array(value.length)
  if (isObject(value)) return say.object(Object.keys(value).length)
  return typeof value === 'number' ? say.number(value) : String(value)
}

/** A value that a schema names, as JSON on one line, clamped. */
export function showAllowed(value: unknown, quote: Quote): string {
  if (typeof value === 'string') return quote(value)
  if (kindOf(value) !== 'object' && kindOf(value) !== 'array') return String(value)
  const text = JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}

/** So many words of a long list are named in a message. */
export const mostListed = 20

/** Words as a list in a sentence, with a word such as `or` before the last one. */
export function wordList(words: readonly string[], or: string): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} ${or} ${words.at(-1)}`
}

/** Words as a list behind a colon, cut after twenty. */
export function shortList(words: readonly string[]): string {
  return words.length > mostListed ? `${words.slice(0, mostListed).join(', ')} …` : words.join(', ')
}

/** Alternatives for a sentence, cut after twenty. */
export function either(words: readonly string[], language: Language = 'en'): string {
  const { or, more } = labels[language]
  return wordList(words.length > mostListed ? [...words.slice(0, mostListed), more(words.length - mostListed)] : words, or)
}

/** One and several of what is counted. */
const units = {
  en: { item: ['item', 'items'], property: ['property', 'properties'], character: ['character', 'characters'] },
  de: { item: ['Element', 'Elemente'], property: ['Eigenschaft', 'Eigenschaften'], character: ['Zeichen', 'Zeichen'] },
} as const satisfies Readonly<Record<Language, object>>

/** A number and the word for what it counts. */
export function count(number: number, unit: keyof (typeof units)['en'], language: Language = 'en'): string {
  return `${number} ${units[language][unit][number === 1 ? 0 : 1]}`
}

/** A path as people write it, such as `user.tags[0]`; the whole value is `the value`. */
export function showPath(path: readonly (string | number)[], quote: Quote, language: Language = 'en'): string {
  let text = ''
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`
    else if (/^[A-Za-z_$][\w$-]{0,79}$/.test(segment)) text += text === '' ? segment : `.${segment}`
    else text += `[${quoteJson(segment)}]`
  }
  return text === '' ? labels[language].whole : text.length > 200 ? quote(text) : text
}
