import { isArray } from '../../json/json-value.ts'
import { pathTo, type SchemaProblem } from '../problem.ts'
import type { Finding } from './run.ts'
import { count, list, type Quote, quotePattern, show, showAllowed, showPath } from './show.ts'

/** Puts a finding into words. */
export function problemOf({ place, keyword, params, value }: Finding, quote: Quote): SchemaProblem {
  const path = pathTo(place)
  const words = sentences[keyword] ?? otherwise
  return { path, keyword, params, message: words({ at: showPath(path, quote), value, params, quote }) }
}

interface Words {
  readonly at: string
  readonly value: unknown
  readonly params: Readonly<Record<string, unknown>>
  readonly quote: Quote
}

type Sentence = (words: Words) => string

const sentences: Readonly<Record<string, Sentence>> = {
  type: ({ at, params, value, quote }) => `Make ${at} ${wantedType(params.type)}; it is ${show(value, quote)}.`,
  enum: ({ at, params, value, quote }) => {
    const allowed = isArray(params.allowedValues) ? params.allowedValues : []
    return allowed.length === 0
      ? `Remove ${at}; no value is allowed there.`
      : `Set ${at} to ${list(
          allowed.map((one) => showAllowed(one, quote)),
          'or',
        )}; it is ${show(value, quote)}.`
  },
  const: ({ at, params, value, quote }) => `Set ${at} to ${showAllowed(params.allowedValue, quote)}; it is ${show(value, quote)}.`,
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
  pattern: ({ at, params, value, quote }) => {
    const format = formats.get(String(params.format))
    return `Make ${at} ${format ?? `match the pattern ${quotePattern(String(params.pattern))}`}; it is ${show(value, quote)}.`
  },
  uniqueItems: ({ at, params }) => `Remove duplicates from ${at}; items ${params.i} and ${params.j} are equal.`,
  required: ({ at, params, quote }) => `Add the property ${quote(String(params.missingProperty))} to ${at}; it is missing.`,
  dependentRequired: ({ at, params, quote }) =>
    `Add the property ${quote(String(params.missingProperty))} to ${at}; it must come with ${quote(String(params.property))}.`,
  additionalProperties: unknownProperty,
  unevaluatedProperties: unknownProperty,
  'false schema': ({ at, value, quote }) => `Remove ${at}; nothing is allowed there, and it is ${show(value, quote)}.`,
  propertyNames: ({ at, params, quote }) => `Rename ${at}; the key ${quote(String(params.propertyName))} is not allowed.`,
  contains: ({ at }) => `Add an item to ${at} of the kind that it must contain; it has none.`,
  minContains: ({ at, params }) => `Give ${at} at least ${params.limit} items of the kind that it must contain; it has ${params.actual}.`,
  maxContains: ({ at, params }) => `Leave at most ${params.limit} items of the counted kind in ${at}; it has ${params.actual}.`,
  not: ({ at, value, quote }) => `Change ${at}; it has a form that is not allowed: ${show(value, quote)}.`,
  oneOf: ({ at, params }) =>
    isArray(params.passingSchemas)
      ? `Make ${at} match exactly one of the allowed forms; it matches ${params.passingSchemas.length}.`
      : `Make ${at} match exactly one of the allowed forms; it matches none.`,
}

/** What a format is called, with an example: libraries write a pattern beside it that says nothing to a reader. */
const formats: ReadonlyMap<string, string> = new Map([
  ['date', 'a date, such as 2026-01-31'],
  ['time', 'a time, such as 13:45:00'],
  ['date-time', 'a date and time, such as 2026-01-31T13:45:00Z'],
  ['duration', 'a duration, such as P1DT12H'],
  ['email', 'an email address, such as name@example.com'],
  ['uuid', 'a UUID, such as 123e4567-e89b-42d3-a456-426614174000'],
  ['ipv4', 'an IPv4 address, such as 192.0.2.1'],
  ['ipv6', 'an IPv6 address, such as 2001:db8::1'],
])

function otherwise({ at, value, quote }: Words): string {
  return `Make ${at} match one of the allowed forms; it is ${show(value, quote)}.`
}

function unknownProperty({ at, params, quote }: Words): string {
  return `Remove ${at}; the property ${quote(String(params.additionalProperty))} is not allowed.`
}

function limited(words: string): Sentence {
  return ({ at, params, value }) => `Make ${at} ${words} ${params.limit}; it is ${value}.`
}

function sized(verb: string, words: string, unit: 'item' | 'property' | 'character'): Sentence {
  return ({ at, params }) => `${verb} ${at} to ${words} ${count(Number(params.limit), unit)}; it has ${params.actual}.`
}

function wantedType(type: unknown): string {
  const types = (isArray(type) ? type : [type]).map(String)
  return list(
    types.map((one) => (one === 'null' ? one : `${/^[aeio]/.test(one) ? 'an' : 'a'} ${one}`)),
    'or',
  )
}
