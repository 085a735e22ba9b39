import { canonical, characters, isArray, isMultipleOf, isObject, type JsonObject, type JsonValue, kindOf, own } from './json-value.ts'
import type { LinearPattern } from './pattern.ts'
import { type Check, fail } from './run.ts'
import { SchemaError } from './schema-error.ts'

/** Compared values may be nested this deep. */
const deepest = 512

/** The checks of the keywords that look at one value alone. */
export function assertionsOf(schema: JsonObject, compilePattern: (source: string) => LinearPattern): Check[] {
  const checks: Check[] = []
  for (const [keyword, build] of Object.entries(builders)) {
    const limit = own(schema, keyword)
    const check = limit === undefined ? undefined : build(limit, keyword, compilePattern)
    if (check) checks.push(check)
  }
  return checks
}

type Builder = (limit: JsonValue, keyword: string, compilePattern: (source: string) => LinearPattern) => Check | undefined

const builders: Readonly<Record<string, Builder>> = {
  type: (limit) => {
    const types = isArray(limit) ? limit : [limit]
    return (value, frame) => types.some((type) => isOfType(value, type)) || fail(frame, 'type', { type: limit }, value)
  },
  enum: (limit) => {
    const allowed = new Set((isArray(limit) ? limit : []).map((one) => canonical(one, deepest)))
    return (value, frame) => allowed.has(canonical(value, deepest)) || fail(frame, 'enum', { allowedValues: limit }, value)
  },
  const: (limit) => {
    const allowed = canonical(limit, deepest)
    return (value, frame) => canonical(value, deepest) === allowed || fail(frame, 'const', { allowedValue: limit }, value)
  },
  minimum: onNumber((value, limit) => value >= limit),
  maximum: onNumber((value, limit) => value <= limit),
  exclusiveMinimum: onNumber((value, limit) => value > limit),
  exclusiveMaximum: onNumber((value, limit) => value < limit),
  multipleOf: onNumber(isMultipleOf),
  minLength: onSize((value) => (typeof value === 'string' ? characters(value) : undefined), 'least'),
  maxLength: onSize((value) => (typeof value === 'string' ? characters(value) : undefined), 'most'),
  pattern: (limit, _keyword, compilePattern) => {
    const pattern = compilePattern(String(limit))
    return (value, frame) => {
      if (typeof value !== 'string') return true
      frame.run.charge(patternCost(pattern, value))
      return pattern.test(value) || fail(frame, 'pattern', { pattern: limit }, value)
    }
  },
  minItems: onSize((value) => (isArray(value) ? value.length : undefined), 'least'),
  maxItems: onSize((value) => (isArray(value) ? value.length : undefined), 'most'),
  uniqueItems: (limit) => (limit === true ? checkUnique : undefined),
  minProperties: onSize((value) => (isObject(value) ? Object.keys(value).length : undefined), 'least'),
  maxProperties: onSize((value) => (isObject(value) ? Object.keys(value).length : undefined), 'most'),
  required: (limit) => {
    const keys = names(limit)
    return (value, frame) => {
      if (!isObject(value)) return true
      let valid = true
      for (const key of keys) if (!Object.hasOwn(value, key)) valid = fail(frame, 'required', { missingProperty: key }, value)
      return valid
    }
  },
  dependentRequired: (limit) => dependentRequired(limit),
  // The old keyword holds lists of keys, or schemas, which are checked elsewhere.
  dependencies: (limit) => dependentRequired(limit),
}

/** Steps that a test of a pattern is worth. */
export function patternCost({ size }: LinearPattern, text: string): number {
  return Math.ceil((text.length * size) / 64)
}

/** Tells whether a value is of a type that JSON Schema names; 1.0 is an integer. */
export function isOfType(value: unknown, type: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : kindOf(value) === type
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
      if (!Object.hasOwn(value, property)) continue
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

function onSize(measure: (value: unknown) => number | undefined, side: 'least' | 'most'): Builder {
  return (limit, keyword) => (value, frame) => {
    const size = measure(value)
    if (size === undefined || (side === 'least' ? size >= Number(limit) : size <= Number(limit))) return true
    return fail(frame, keyword, { limit, actual: size }, value)
  }
}

const checkUnique: Check = (value, frame) => {
  if (!isArray(value)) return true
  const seen = new Map<string, number>()
  for (const [j, item] of value.entries()) {
    const text = canonical(item, deepest)
    if (text === undefined) throw new SchemaError('too-costly', `the value is nested deeper than ${deepest} levels`)
    const i = seen.get(text)
    if (i !== undefined) return fail(frame, 'uniqueItems', { i, j }, value)
    seen.set(text, j)
  }
  return true
}
