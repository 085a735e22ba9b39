import { isArray, isObject, type JsonObject, type JsonValue, kinds } from '../../json/json-value.ts'
import { type RawSchema, withSubschemas } from './subschemas.ts'

/** The usable rest of an invalid schema: types, members and names, as far as they make sense; a value that violates it violates the schema. */
export function plainPart(schema: RawSchema, keepsReferences: boolean): RawSchema {
  if (!isObject(schema)) return schema
  const plain = (inner: RawSchema): RawSchema => plainPart(inner, keepsReferences)
  const sound = Object.entries(schema).flatMap(([keyword, value]): [string, JsonValue][] => {
    // Draft 7 writes tuples in another way.
    const name = isArray(schema.items) ? (tuples.get(keyword) ?? keyword) : keyword
    const kept = keywords.get(name)?.(value)
    return kept === undefined || (name === '$ref' && !keepsReferences) ? [] : [[name, kept]]
  })
  const { oneOf, allOf = [], ...rest } = withSubschemas(Object.fromEntries(sound), plain)
  const all = [...(isArray(allOf) ? allOf : []), ...(oneOf === undefined ? [] : [{ anyOf: oneOf }])]
  return { ...rest, ...(all.length > 0 ? { allOf: all } : {}) }
}

const tuples = new Map([
  ['items', 'prefixItems'],
  ['additionalItems', 'items'],
])

/** The keywords that a part of a schema may keep, with what makes sense of their values. */
const keywords = new Map<string, (value: JsonValue) => JsonValue | undefined>(
  Object.entries({
    type: (value) => ((isArray(value) ? value : [value]).every((one) => kinds.has(one)) && !isEmpty(value) ? value : undefined),
    enum: (value) => (isArray(value) ? value : undefined),
    const: (value) => value,
    nullable: (value) => value,
    required: (value) => (isArray(value) ? [...new Set(value.filter((one) => typeof one === 'string'))] : undefined),
    properties: schemasByName,
    $defs: schemasByName,
    definitions: schemasByName,
    additionalProperties: schemaOrNothing,
    items: schemaOrNothing,
    prefixItems: schemaList,
    allOf: schemaList,
    anyOf: schemaList,
    oneOf: schemaList,
    $ref: (value) => (typeof value === 'string' && value.startsWith('#') ? value : undefined),
  }),
)

function isEmpty(value: JsonValue): boolean {
  return isArray(value) && value.length === 0
}

function schemaOrNothing(value: JsonValue): JsonObject | boolean | undefined {
  return typeof value === 'boolean' || isObject(value) ? value : undefined
}

/** Anything that is not a schema allows every value. */
function schemasByName(value: JsonValue): JsonObject | undefined {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, schemaOrNothing(one) ?? true])) : undefined
}

function schemaList(value: JsonValue): JsonValue | undefined {
  return isArray(value) && value.length > 0 ? value.map((one) => schemaOrNothing(one) ?? true) : undefined
}
