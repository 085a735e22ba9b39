import { patternCost } from './assertions.ts'
import type { SchemaNode } from './document.ts'
import { isObject, type JsonObject, own } from './json-value.ts'
import type { LinearPattern } from './pattern.ts'
import { type Check, type Evaluate, type Frame, fail, inside, quietly } from './run.ts'
import { isSchema, type RawSchema } from './subschemas.ts'

/** What building the checks of a schema needs. */
export interface Building {
  readonly schema: JsonObject
  child(schema: RawSchema): SchemaNode
  readonly evaluate: Evaluate
  compilePattern(source: string): LinearPattern
}

/** The checks of `properties`, `patternProperties`, `additionalProperties` and `propertyNames`. */
export function objectChecksOf(building: Building): Check[] {
  const { evaluate } = building
  const properties = namedSchemas(building, 'properties')
  const known = new Set(properties.map(([key]) => key))
  const patterns = namedSchemas(building, 'patternProperties').map(([source, node]) => [building.compilePattern(source), node] as const)
  const rest = childOf(building, 'additionalProperties')
  const propertyNames = childOf(building, 'propertyNames')
  const checks: Check[] = []
  if (properties.length > 0) {
    checks.push((value, frame) => {
      if (!isObject(value)) return true
      let valid = true
      for (const [key, node] of properties) {
        if (!Object.hasOwn(value, key)) continue
        frame.evaluated?.add(key)
        if (!evaluate(node, value[key], inside(frame, key))) valid = false
        if (!valid && !frame.findings) return false
      }
      return valid
    })
  }
  if (patterns.length > 0 || rest) {
    checks.push((value, frame) => {
      if (!isObject(value)) return true
      let valid = true
      for (const key of Object.keys(value)) {
        let isNew = !known.has(key)
        for (const [pattern, node] of patterns) {
          frame.run.charge(patternCost(pattern, key))
          if (!pattern.test(key)) continue
          isNew = false
          frame.evaluated?.add(key)
          if (!evaluate(node, value[key], inside(frame, key))) valid = false
        }
        if (isNew && rest) {
          frame.evaluated?.add(key)
          if (!checkRest(evaluate, rest, 'additionalProperties', value, key, frame)) valid = false
        }
        if (!valid && !frame.findings) return false
      }
      return valid
    })
  }
  if (propertyNames) checks.push((value, frame) => checkNames(evaluate, propertyNames, value, frame))
  return checks
}

/** The check of `unevaluatedProperties`, which must come last. */
export function unevaluatedPropertiesOf(building: Building): Check[] {
  const rest = childOf(building, 'unevaluatedProperties')
  if (!rest) return []
  return [
    (value, frame) => {
      if (!isObject(value)) return true
      let valid = true
      for (const key of Object.keys(value)) {
        if (frame.evaluated?.has(key)) continue
        if (!checkRest(building.evaluate, rest, 'unevaluatedProperties', value, key, frame)) valid = false
      }
      frame.evaluated?.addAll()
      return valid
    },
  ]
}

/** The schema under a keyword that holds one. */
export function childOf({ schema, child }: Building, keyword: string): SchemaNode | undefined {
  const inner = own(schema, keyword)
  return isSchema(inner) ? child(inner) : undefined
}

/** The schemas under a keyword that holds them by name. */
export function namedSchemas({ schema, child }: Building, keyword: string): [string, SchemaNode][] {
  const map = own(schema, keyword)
  return Object.entries(isObject(map) ? map : {}).flatMap(([key, inner]): [string, SchemaNode][] =>
    isSchema(inner) ? [[key, child(inner)]] : [],
  )
}

function checkRest(evaluate: Evaluate, rest: SchemaNode, keyword: string, value: JsonObject, key: string, frame: Frame): boolean {
  if (rest.schema !== false) return evaluate(rest, value[key], inside(frame, key))
  return fail(inside(frame, key), keyword, { additionalProperty: key }, value)
}

function checkNames(evaluate: Evaluate, names: SchemaNode, value: unknown, frame: Frame): boolean {
  if (!isObject(value)) return true
  let valid = true
  for (const key of Object.keys(value)) {
    // What is wrong is the key: what the schema says of it is told of its place.
    if (evaluate(names, key, quietly(inside(frame, key)))) continue
    valid = fail(inside(frame, key), 'propertyNames', { propertyName: key }, key)
    if (!frame.findings) return false
  }
  return valid
}
