import { isObject, type JsonObject, own } from '../../json/json-value.ts'
import type { LinearPattern } from '../patterns/pattern.ts'
import { isSchema, type RawSchema } from '../read/subschemas.ts'
import { patternCost } from './assertions.ts'
import { type Check, type Frame, fail, inside, quietly } from './run.ts'

/** What building the checks of a schema needs. */
export interface Building {
  readonly schema: JsonObject
  child(schema: RawSchema): Check
  compilePattern(source: string): LinearPattern
}

/** The checks of `properties`, `patternProperties`, `additionalProperties` and `propertyNames`. */
export function objectChecksOf(building: Building): Check[] {
  const properties = namedSchemas(building, 'properties')
  const known = new Set(properties.map(([key]) => key))
  const patterns = namedSchemas(building, 'patternProperties').map(([source, node]) => [building.compilePattern(source), node] as const)
  const rest = restOf(building, 'additionalProperties')
  const propertyNames = childOf(building, 'propertyNames')
  const checks: Check[] = []
  if (properties.length > 0) {
    const keys = properties.map(([key]) => key)
    const nodes = properties.map(([, node]) => node)
    checks.push((value, frame) => {
      if (!isObject(value)) return true
      frame.run.charge(keys.length >> 1)
      let valid = true
      for (let index = 0; index < keys.length; index++) {
        const key = keys[index] as string
        const node = nodes[index] as Check
        if (!Object.hasOwn(value, key)) continue
        frame.evaluated?.add(key)
        if (node(value[key], inside(frame, key))) continue
        valid = false
        if (!frame.findings) return false
      }
      return valid
    })
  }
  if (patterns.length > 0 || rest) {
    const takesAll = own(building.schema, 'additionalProperties') === true && patterns.length === 0
    checks.push((value, frame) => {
      if (!isObject(value)) return true
      // Beside the properties that are named, all others are looked at, too.
      if (rest) frame.evaluated?.addAll()
      if (takesAll) return true
      let valid = true
      for (const key of keysOf(value, frame)) {
        let isNew = !known.has(key)
        for (const [pattern, node] of patterns) {
          frame.run.charge(patternCost(pattern, key))
          if (!pattern.test(key)) continue
          isNew = false
          frame.evaluated?.add(key)
          if (!node(value[key], inside(frame, key))) valid = false
        }
        if (isNew && rest && !rest(value, key, frame)) valid = false
        if (!valid && !frame.findings) return false
      }
      return valid
    })
  }
  if (propertyNames) checks.push((value, frame) => checkNames(propertyNames, value, frame))
  return checks
}

/** The check of `unevaluatedProperties`, which must come last. */
export function unevaluatedPropertiesOf(building: Building): Check[] {
  const rest = restOf(building, 'unevaluatedProperties')
  if (!rest) return []
  return [
    (value, frame) => {
      if (!isObject(value)) return true
      let valid = true
      if (frame.evaluated?.hasAll) return true
      for (const key of keysOf(value, frame)) {
        if (frame.evaluated?.has(key)) continue
        if (!rest(value, key, frame)) valid = false
      }
      frame.evaluated?.addAll()
      return valid
    },
  ]
}

/** Remarks the properties of an object that are not declared, whatever else is wrong. */
export function remarking(declared: ReadonlySet<string>, schema: RawSchema, check: Check): Check {
  return (value, frame) => {
    if (frame.run.remarks && isObject(value)) {
      for (const key of keysOf(value, frame)) {
        if (declared.has(key)) continue
        frame.run.remarked = true
        if (frame.findings) fail(inside(frame, key), 'undeclaredProperties', { additionalProperty: key, declared, schema }, value)
      }
    }
    return check(value, frame)
  }
}

/** The schema under a keyword that holds one. */
export function childOf({ schema, child }: Building, keyword: string): Check | undefined {
  const inner = own(schema, keyword)
  return isSchema(inner) ? child(inner) : undefined
}

/** The schemas under a keyword that holds them by name. */
export function namedSchemas({ schema, child }: Building, keyword: string): [string, Check][] {
  const map = own(schema, keyword)
  return Object.entries(isObject(map) ? map : {}).flatMap(([key, inner]): [string, Check][] =>
    isSchema(inner) ? [[key, child(inner)]] : [],
  )
}

/** The keys of an object, paid for by their number. */
function keysOf(value: JsonObject, { run }: Frame): string[] {
  const keys = Object.keys(value)
  run.charge(keys.length)
  return keys
}

/** The check of a property that no other keyword knows. */
function restOf(building: Building, keyword: string): ((value: JsonObject, key: string, frame: Frame) => boolean) | undefined {
  const rest = childOf(building, keyword)
  if (own(building.schema, keyword) !== false) return rest && ((value, key, frame) => rest(value[key], inside(frame, key)))
  return (value, key, frame) => fail(inside(frame, key), keyword, { additionalProperty: key }, value)
}

function checkNames(names: Check, value: unknown, frame: Frame): boolean {
  if (!isObject(value)) return true
  let valid = true
  for (const key of keysOf(value, frame)) {
    // The key is wrong: what the schema says of it is reported at its place.
    if (names(key, quietly(inside(frame, key)))) continue
    valid = fail(inside(frame, key), 'propertyNames', { propertyName: key }, key)
    if (!frame.findings) return false
  }
  return valid
}
