import { isArray } from '../../json/json-value.ts'
import { type Language, pathTo, type SchemaProblem } from '../problem.ts'
import { formats } from './formats.ts'
import type { Finding } from './run.ts'
import { count, either, type Quote, quotePattern, show, showAllowed, showPath } from './show.ts'

/** Puts a finding into words. */
export function problemOf({ place, keyword, params, value }: Finding, quote: Quote): SchemaProblem {
  const path = pathTo(place)
  const sentence = (language: Language): string => {
    const at = showPath(path, quote, language)
    const words: Words = {
      at,
      within: path.length === 0 ? 'im Wert' : `in ${at}`,
      found: show(value, quote, language),
      allowed: isArray(params.allowedValues)
        ? either(
            params.allowedValues.map((one) => showAllowed(one, quote)),
            language,
          )
        : '',
      format: formats.get(params.format)?.[language],
      key: (name) => quote(String(params[name])),
      value,
      params,
      quote,
    }
    const table: Readonly<Record<string, Sentence>> = sentences[language]
    return (table[keyword] ?? sentences[language].otherwise)(words)
  }
  return {
    path,
    keyword,
    params,
    message: sentence('en'),
    get german() {
      return sentence('de')
    },
  }
}

/** What a sentence is made of. */
interface Words {
  readonly at: string
  /** The place of what is missing or too much, in German. */
  readonly within: string
  readonly found: string
  readonly allowed: string
  readonly format: string | undefined
  /** A name among the params, in quotes. */
  key(name: string): string
  readonly value: unknown
  readonly params: Readonly<Record<string, unknown>>
  readonly quote: Quote
}

type Sentence = (words: Words) => string

const english = {
  type: ({ at, params, found }) => `Make ${at} ${wantedType(params.type)}; it is ${found}.`,
  enum: ({ at, allowed, found }) =>
    allowed === '' ? `Remove ${at}; no value is allowed there.` : `Set ${at} to ${allowed}; it is ${found}.`,
  const: ({ at, params, found, quote }) => `Set ${at} to ${showAllowed(params.allowedValue, quote)}; it is ${found}.`,
  minimum: limited('at least'),
  maximum: limited('at most'),
  exclusiveMinimum: limited('greater than'),
  exclusiveMaximum: limited('less than'),
  multipleOf: limited('a multiple of'),
  minLength: sized('Lengthen', 'at least', 'character'),
  maxLength: sized('Cut', 'at most', 'character'),
  minItems: sized('Extend', 'at least', 'item'),
  maxItems: sized('Cut', 'at most', 'item'),
  minProperties: sized('Extend', 'at least', 'property'),
  maxProperties: sized('Cut', 'at most', 'property'),
  pattern: ({ at, params, format, found }) =>
    `Make ${at} ${format ?? `match the pattern ${quotePattern(String(params.pattern))}`}; it is ${found}.`,
  format: ({ at, format, found }) => `Make ${at} ${format}; it is ${found}.`,
  uniqueItems: ({ at, params }) => `Remove duplicates from ${at}; items ${params.i} and ${params.j} are equal.`,
  required: ({ at, key }) => `Add the property ${key('missingProperty')} to ${at}; it is missing.`,
  dependentRequired: ({ at, key }) => `Add the property ${key('missingProperty')} to ${at}; it must come with ${key('property')}.`,
  additionalProperties: unknownProperty,
  unevaluatedProperties: unknownProperty,
  'false schema': ({ at, found }) => `Remove ${at}; nothing is allowed there, and it is ${found}.`,
  propertyNames: ({ at, key }) => `Rename ${at}; the key ${key('propertyName')} is not allowed.`,
  contains: ({ at }) => `Add an item to ${at} of the kind that it must contain; it has none.`,
  minContains: ({ at, params }) => `Give ${at} at least ${params.limit} items of the kind that it must contain; it has ${params.actual}.`,
  maxContains: ({ at, params }) =>
    `Leave at most ${count(Number(params.limit), 'item')} of the counted kind in ${at}; it has ${params.actual}.`,
  not: ({ at, found }) => `Change ${at}; it has a form that is not allowed: ${found}.`,
  oneOf: ({ at, params }) => `Make ${at} match exactly one of the allowed forms; it matches ${matching(params) ?? 'none'}.`,
  otherwise: ({ at, found }) => `Make ${at} match one of the allowed forms; it is ${found}.`,
} satisfies Readonly<Record<string, Sentence>>

const german: Readonly<Record<keyof typeof english, Sentence>> = {
  type: ({ at, params, found }) => `Schreibe ${at} als ${germanType(params.type)}; es ist ${found}.`,
  enum: ({ at, allowed, found }) =>
    allowed === '' ? `Entferne ${at}; dort ist kein Wert erlaubt.` : `Setze ${at} auf ${allowed}; es ist ${found}.`,
  const: ({ at, params, found, quote }) => `Setze ${at} auf ${showAllowed(params.allowedValue, quote)}; es ist ${found}.`,
  minimum: setTo('mindestens'),
  maximum: setTo('höchstens'),
  exclusiveMinimum: setTo('mehr als'),
  exclusiveMaximum: setTo('weniger als'),
  multipleOf: setTo('ein Vielfaches von'),
  minLength: resized('Verlängere', 'mindestens', 'character'),
  maxLength: resized('Kürze', 'höchstens', 'character'),
  minItems: resized('Erweitere', 'mindestens', 'item'),
  maxItems: resized('Kürze', 'höchstens', 'item'),
  minProperties: resized('Erweitere', 'mindestens', 'property'),
  maxProperties: resized('Kürze', 'höchstens', 'property'),
  pattern: ({ at, params, format, found }) =>
    format === undefined
      ? `Passe ${at} an das Muster ${quotePattern(String(params.pattern))} an; es ist ${found}.`
      : `Setze ${at} auf ${format}; es ist ${found}.`,
  format: ({ at, format, found }) => `Setze ${at} auf ${format}; es ist ${found}.`,
  uniqueItems: ({ within, params }) => `Entferne doppelte Elemente ${within}; die Elemente ${params.i} und ${params.j} sind gleich.`,
  required: ({ within, key }) => `Ergänze ${within} die Eigenschaft ${key('missingProperty')}; sie fehlt.`,
  dependentRequired: ({ within, key }) =>
    `Ergänze ${within} die Eigenschaft ${key('missingProperty')}; mit ${key('property')} ist sie nötig.`,
  additionalProperties: forbiddenProperty,
  unevaluatedProperties: forbiddenProperty,
  'false schema': ({ at, found }) => `Entferne ${at}; dort ist nichts erlaubt, und es ist ${found}.`,
  propertyNames: ({ at, key }) => `Benenne ${at} um; der Schlüssel ${key('propertyName')} ist nicht erlaubt.`,
  contains: ({ within }) => `Ergänze ${within} ein Element der verlangten Art; es gibt keines.`,
  minContains: ({ within, params }) => `Nenne ${within} mindestens ${params.limit} Elemente der verlangten Art; ${amount(params.actual)}.`,
  maxContains: ({ within, params }) =>
    `Lass ${within} höchstens ${count(Number(params.limit), 'item', 'de')} der gezählten Art stehen; ${amount(params.actual)}.`,
  not: ({ at, found }) => `Ändere ${at}; diese Form ist nicht erlaubt: ${found}.`,
  oneOf: ({ at, params }) =>
    `Passe ${at} an genau eine der erlaubten Formen an; ${matching(params) === undefined ? 'erfüllt ist keine' : `erfüllt sind ${matching(params)}`}.`,
  otherwise: ({ at, found }) => `Passe ${at} an eine der erlaubten Formen an; es ist ${found}.`,
}

/** What is said of each keyword, by language. */
const sentences: Readonly<Record<Language, Readonly<Record<keyof typeof english, Sentence>>>> = { en: english, de: german }

function matching({ passingSchemas }: Words['params']): number | undefined {
  return isArray(passingSchemas) ? passingSchemas.length : undefined
}

function unknownProperty({ at, key }: Words): string {
  return `Remove ${at}; the property ${key('additionalProperty')} is not allowed.`
}

function forbiddenProperty({ at, key }: Words): string {
  return `Entferne ${at}; die Eigenschaft ${key('additionalProperty')} ist nicht erlaubt.`
}

function limited(words: string): Sentence {
  return ({ at, params, value }) => `Make ${at} ${words} ${params.limit}; it is ${value}.`
}

function setTo(words: string): Sentence {
  return ({ at, params, value }) => `Setze ${at} auf ${words} ${params.limit}; es ist ${value}.`
}

type Unit = Parameters<typeof count>[1]

function sized(verb: string, words: string, unit: Unit): Sentence {
  return ({ at, params }) => `${verb} ${at} to ${words} ${count(Number(params.limit), unit)}; it has ${params.actual}.`
}

function resized(verb: string, words: string, unit: Unit): Sentence {
  return ({ at, params }) => `${verb} ${at} auf ${words} ${count(Number(params.limit), unit, 'de')}; ${amount(params.actual)}.`
}

function amount(actual: unknown): string {
  return `es ${actual === 1 ? 'ist' : 'sind'} ${actual}`
}

function wantedType(type: unknown): string {
  return either(types(type).map((one) => (one === 'null' ? one : `${/^[aeio]/.test(one) ? 'an' : 'a'} ${one}`)))
}

const germanTypes = new Map([
  ['string', 'Zeichenkette'],
  ['number', 'Zahl'],
  ['integer', 'ganze Zahl'],
  ['boolean', 'Wahrheitswert'],
  ['array', 'Liste'],
  ['object', 'Objekt'],
])

function germanType(type: unknown): string {
  return either(
    types(type).map((one) => germanTypes.get(one) ?? one),
    'de',
  )
}

function types(type: unknown): readonly string[] {
  return (isArray(type) ? type : [type]).map(String)
}
