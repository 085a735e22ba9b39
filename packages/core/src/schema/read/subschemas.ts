import { isArray, isObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'

/** A schema: an object of keywords, or true or false. */
export type RawSchema = JsonObject | boolean

const single = new Set([
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
])
const listed = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'])
const named = new Set(['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'])

/** Whether a value can be a schema. */
export function isSchema(value: unknown): value is RawSchema {
  return typeof value === 'boolean' || isObject(value)
}

/** A schema with other schemas in the places of those right inside it. */
export function withSubschemas(schema: JsonObject, change: (inner: RawSchema) => RawSchema): JsonObject {
  const changed = (inner: JsonValue): JsonValue => (isSchema(inner) ? change(inner) : inner)
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, held]): [string, JsonValue] => {
      if (listed.has(keyword) && isArray(held)) return [keyword, held.map(changed)]
      if (named.has(keyword) && isObject(held))
        return [keyword, Object.fromEntries(Object.entries(held).map(([name, inner]) => [name, changed(inner)]))]
      return [keyword, single.has(keyword) ? changed(held) : held]
    }),
  )
}

/** The schemas right inside a schema: only what is under the keywords that hold schemas, so nothing in `const` or `enum`. */
export function subschemas(schema: JsonObject): RawSchema[] {
  return Object.keys(schema).flatMap((keyword) => schemasUnder(keyword, schema[keyword]).map(([, inner]) => inner))
}

/** The schemas that a keyword holds, each with its path below the keyword. */
export function schemasUnder(keyword: string, held: JsonValue | undefined): (readonly [path: readonly (string | number)[], RawSchema])[] {
  if (single.has(keyword) && isSchema(held)) return [[[], held]]
  if (listed.has(keyword) && isArray(held)) return held.flatMap((inner, at) => (isSchema(inner) ? [[[at], inner] as const] : []))
  if (!named.has(keyword) || !isObject(held)) return []
  return Object.entries(held).flatMap(([name, inner]) => (isSchema(inner) ? [[[name], inner] as const] : []))
}
