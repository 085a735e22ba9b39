import { isArray, isObject, type JsonObject, type JsonValue, own } from './json-value.ts'

/** A schema: an object of keywords, or true or false. */
export type RawSchema = JsonObject | boolean

const single = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]
const listed = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']
const named = ['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties']

/** Tells whether a value can be a schema. */
export function isSchema(value: unknown): value is RawSchema {
  return typeof value === 'boolean' || isObject(value)
}

/** The schemas right inside a schema: only what stands under the keywords that hold schemas, so nothing in `const` or `enum`. */
export function* subschemas(schema: JsonObject): Generator<RawSchema> {
  for (const keyword of single) yield* schemasIn([own(schema, keyword)])
  for (const keyword of listed) {
    const list = own(schema, keyword)
    if (isArray(list)) yield* schemasIn(list)
  }
  for (const keyword of named) {
    const map = own(schema, keyword)
    if (isObject(map)) yield* schemasIn(Object.values(map))
  }
}

function schemasIn(values: readonly (JsonValue | undefined)[]): RawSchema[] {
  return values.filter(isSchema)
}
