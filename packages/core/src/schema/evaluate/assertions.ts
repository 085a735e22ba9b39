import {
  canonical,
  characters,
  isArray,
  isMultipleOf,
  isObject,
  type JsonObject,
  type JsonValue,
  kindOf,
  own,
} from '../../json/json-value.ts'
import type { LinearPattern } from '../patterns/pattern.ts'
import { SchemaError } from '../schema-error.ts'
import { formats } from './formats.ts'
import { type Check, type Frame, fail, isEnough } from './run.ts'

/** Compared values may be nested this deep. */
const deepest = 512

/** Characters that a pattern or a count reads, and those that a comparison writes, at the cost of one step. */
const charactersPerStep = 64
const writtenPerStep = 16

/** How schemas are read. */
interface Reading {
  compilePattern(source: string): LinearPattern
  /** Whether `nullable` allows null. */
  readonly allowsNull: boolean
  /** Whether `format` is asserted. */
  readonly assertsFormat: boolean
}

/** The checks of the keywords that look at one value alone. */
export function assertionsOf(schema: JsonObject, reading: Reading): Check[] {
  const checks: Check[] = []
  // Schemas have few keywords: they are looked up, and put into the order of the builders.
  const keywords = Object.keys(schema).filter((keyword) => ranks.has(keyword))
  if (keywords.length > 1) keywords.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0))
  for (const keyword of keywords) {
    const check = builders[keyword]?.(own(schema, keyword) ?? null, keyword, reading, schema)
    if (check) checks.push(reading.allowsNull && onAnything.has(keyword) ? (value, frame) => value === null || check(value, frame) : check)
  }
  return checks
}

type Builder = (limit: JsonValue, keyword: string, reading: Reading, schema: JsonObject) => Check | undefined

const builders: Readonly<Record<string, Builder>> = {
  type: (limit) => {
    const fits = (isArray(limit) ? limit : [limit]).map((type) => typeTest(type))
    const [first = never, second = never, ...others] = fits
    return (value, frame) =>
      first(value) || second(value) || others.some((test) => test(value)) || fail(frame, 'type', { type: limit }, value)
  },
  enum: (limit) => {
    const isAllowed = equalsOneOf(isArray(limit) ? limit : [])
    return (value, frame) => isAllowed(value, frame) || fail(frame, 'enum', { allowedValues: limit }, value)
  },
  const: (limit) => {
    const isAllowed = equalsOneOf([limit])
    return (value, frame) => isAllowed(value, frame) || fail(frame, 'const', { allowedValue: limit }, value)
  },
  minimum: onNumber((value, limit) => value >= limit),
  maximum: onNumber((value, limit) => value <= limit),
  exclusiveMinimum: onNumber((value, limit) => value > limit),
  exclusiveMaximum: onNumber((value, limit) => value < limit),
  multipleOf: onNumber(isMultipleOf),
  minLength: onSize(lengthOf, 'least'),
  maxLength: onSize(lengthOf, 'most'),
  pattern: (limit, _keyword, { compilePattern, assertsFormat }, schema) => {
    const pattern = compilePattern(String(limit))
    const format = own(schema, 'format')
    const known = assertsFormat ? formats.get(format) : undefined
    // Where the format is not asserted, libraries write a pattern beside it that says nothing to a reader.
    const params = { pattern: limit, ...(!assertsFormat && typeof format === 'string' && { format }) }
    return (value, frame) => {
      if (typeof value !== 'string') return true
      frame.run.charge(patternCost(pattern, value))
      // What is not even of its format is said once.
      return pattern.test(value) || (frame.findings && known?.test(value) === false) || fail(frame, 'pattern', params, value)
    }
  },
  format: (format, _keyword, { assertsFormat }) => {
    const known = assertsFormat ? formats.get(format) : undefined
    if (known === undefined) return undefined
    return (value, frame) => {
      if (typeof value !== 'string') return true
      frame.run.charge(1 + Math.ceil(value.length / charactersPerStep))
      return known.test(value) || fail(frame, 'format', { format }, value)
    }
  },
  minItems: onSize((value) => (isArray(value) ? value.length : undefined), 'least'),
  maxItems: onSize((value) => (isArray(value) ? value.length : undefined), 'most'),
  uniqueItems: (limit) => (limit === true ? checkUnique : undefined),
  minProperties: onSize(propertiesOf, 'least'),
  maxProperties: onSize(propertiesOf, 'most'),
  required: (limit) => {
    const keys = names(limit)
    return (value, frame) => {
      if (!isObject(value)) return true
      frame.run.charge(keys.length >> 1)
      let valid = true
      for (const key of keys) {
        if (Object.hasOwn(value, key)) continue
        valid = fail(frame, 'required', { missingProperty: key }, value)
        if (isEnough(frame)) return false
      }
      return valid
    }
  },
  dependentRequired: (limit) => dependentRequired(limit),
  // The old keyword holds lists of keys, or schemas, which are checked elsewhere.
  dependencies: (limit) => dependentRequired(limit),
}

/** What `nullable` has a say in. */
const onAnything = new Set(['type', 'enum', 'const'])

const ranks: ReadonlyMap<string, number> = new Map(Object.keys(builders).map((keyword, rank) => [keyword, rank]))

/** Steps that a test of a pattern is worth. */
export function patternCost({ size }: LinearPattern, text: string): number {
  return 1 + Math.ceil((text.length * size) / charactersPerStep)
}

/** Whether values are of a type that JSON Schema names; 1.0 is an integer. */
function typeTest(type: unknown): (value: unknown) => boolean {
  if (type === 'integer') return Number.isInteger
  if (type === 'object') return isObject
  if (type === 'string' || type === 'number' || type === 'boolean') return (value) => typeof value === type
  return (value) => kindOf(value) === type
}

const never = (): boolean => false

/** Scalars are compared as such, containers by a text that is the same for equal ones. */
function equalsOneOf(values: readonly JsonValue[]): (value: unknown, frame: Frame) => boolean {
  const scalars = new Set<unknown>(values.filter((one) => typeof one !== 'object' || one === null))
  const texts = new Set(values.filter((one) => !scalars.has(one)).map((one) => canonical(one, deepest)))
  texts.delete(undefined)
  return (value, frame) => {
    if (typeof value !== 'object' || value === null) return scalars.has(value)
    return texts.size > 0 && texts.has(textOf(value, frame))
  }
}

/** The text by which values are compared, paid for by its length. */
function textOf(value: unknown, { run }: Frame): string | undefined {
  const text = canonical(value, deepest)
  run.charge(2 + Math.ceil((text?.length ?? 0) / writtenPerStep))
  return text
}

function dependentRequired(limit: JsonValue): Check | undefined {
  const entries = Object.entries(isObject(limit) ? limit : {}).flatMap(([key, keys]) =>
    isArray(keys) ? [[key, names(keys)] as const] : [],
  )
  if (entries.length === 0) return undefined
  return (value, frame) => {
    if (!isObject(value)) return true
    let valid = true
    for (const [property, keys] of entries) {
      frame.run.charge(1)
      if (!Object.hasOwn(value, property)) continue
      frame.run.charge(keys.length >> 1)
      for (const key of keys)
        if (!Object.hasOwn(value, key)) valid = fail(frame, 'dependentRequired', { property, missingProperty: key }, value)
    }
    return valid
  }
}

function names(limit: JsonValue): string[] {
  return isArray(limit) ? limit.filter((key) => typeof key === 'string') : []
}

function onNumber(holds: (value: number, limit: number) => boolean): Builder {
  return (limit, keyword) => (value, frame) =>
    typeof value !== 'number' || holds(value, Number(limit)) || fail(frame, keyword, { limit }, value)
}

function lengthOf(value: unknown, { run }: Frame): number | undefined {
  if (typeof value !== 'string') return undefined
  run.charge(Math.ceil(value.length / charactersPerStep))
  return characters(value)
}

function propertiesOf(value: unknown, { run }: Frame): number | undefined {
  if (!isObject(value)) return undefined
  const { length } = Object.keys(value)
  run.charge(length >> 1)
  return length
}

function onSize(measure: (value: unknown, frame: Frame) => number | undefined, side: 'least' | 'most'): Builder {
  return (limit, keyword) => (value, frame) => {
    const size = measure(value, frame)
    if (size === undefined || (side === 'least' ? size >= Number(limit) : size <= Number(limit))) return true
    return fail(frame, keyword, { limit, actual: size }, value)
  }
}

const checkUnique: Check = (value, frame) => {
  if (!isArray(value)) return true
  const seen = new Map<string, number>()
  for (const [j, item] of value.entries()) {
    const text = textOf(item, frame)
    if (text === undefined) throw new SchemaError('too-costly', `the value is nested deeper than ${deepest} levels`)
    const i = seen.get(text)
    if (i !== undefined) return fail(frame, 'uniqueItems', { i, j }, value)
    seen.set(text, j)
  }
  return true
}
