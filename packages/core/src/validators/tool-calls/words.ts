import { quote, quoteToolName } from '../../contract/quote.ts'
import { kindOf as jsonKindOf } from '../../json/json-value.ts'
import type { Path } from './faults/value-order.ts'

/** So many names are listed in a message. */
const mostNames = 10

/** A name for a message, with its invisible characters made visible: they may be all that is wrong with it. */
export function showName(name: string, isOffered = false): string {
  return (isOffered ? quote(name) : quoteToolName(name)).replace(
    /\p{Cf}/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Names for a message, each one fenced and clamped, and only so many of them. */
export function listNames(names: readonly string[], more: (count: number) => string): string {
  const shown = names
    .slice(0, mostNames)
    .map((name) => showName(name, true))
    .join(', ')
  return names.length > mostNames ? `${shown} ${more(names.length - mostNames)}` : shown
}

/** A path inside the arguments as one would write it. */
export function pathLabel(path: Path): string {
  return quote(path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join(''))
}

/** A value for a message. */
export function valueLabel(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  return typeof value === 'object' && value !== null ? (Array.isArray(value) ? '[…]' : '{…}') : String(value)
}

/** The type of a value; a number without a fraction is an integer, however it was written. */
export function kindOf(value: unknown): string {
  return Number.isInteger(value) ? 'integer' : String(jsonKindOf(value))
}

/** The types of JSON in English. */
export const englishTypes: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['integer', 'an integer'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['null', 'null'],
])

/** The types of JSON in German. */
export const germanTypes: ReadonlyMap<string, string> = new Map([
  ['string', 'Text'],
  ['number', 'eine Zahl'],
  ['integer', 'eine ganze Zahl'],
  ['boolean', 'true oder false'],
  ['array', 'eine Liste'],
  ['object', 'ein Objekt'],
  ['null', 'null'],
])

/** Types for a message. */
export function typeLabel(types: readonly string[], words: ReadonlyMap<string, string>, or: string): string {
  return types.map((type) => words.get(type) ?? quote(type)).join(` ${or} `)
}
