import { type Fields, field, isFields } from './fields.ts'

/** Keywords that say something of an object, or about the schema itself; a schema of arguments has one of them, or is empty. */
const keywords = new Set(
  `$anchor $comment $defs $dynamicRef $id $ref $schema additionalProperties allOf anyOf const default definitions dependencies dependentRequired
  dependentSchemas deprecated description else enum example examples if maxProperties minProperties not nullable oneOf patternProperties
  properties propertyNames readOnly required then title type unevaluatedProperties writeOnly`.split(/\s+/),
)

/** Keywords that decide most; one that is inherited or hidden would be lost when the schema is written down. */
const decisive = ['$ref', 'allOf', 'anyOf', 'oneOf', 'properties', 'required', 'type']

/** JSON Schema as it is written down; undefined for what only looks like one, such as a bare record of parameters. */
export function readableSchema(given: unknown): Fields | undefined {
  if (!isFields(given) || isLibrarySchema(given)) return undefined
  const writes = typeof field(given, 'toJSON') === 'function'
  const schema = writes ? written(given) : given
  if (!isFields(schema) || (writes && Object.keys(schema).length === 0)) return undefined
  const keys = Object.keys(schema)
  if (keys.length > 0 && !keys.some((key) => keywords.has(key))) return undefined
  if (decisive.some((key) => key in schema && !Object.prototype.propertyIsEnumerable.call(schema, key))) return undefined
  const parts = [schema, field(schema, 'properties')].filter(isFields)
  return parts.every(isOwn) ? schema : undefined
}

/** Promises and the schemas of libraries have these; Zod hides its own in the JSON Schema that it writes. */
function isLibrarySchema(schema: Fields): boolean {
  if ('~standard' in schema && !('$schema' in schema)) return true
  return ['then', 'parse', 'safeParse', 'validate'].some((name) => typeof field(schema, name) === 'function')
}

/** Whether all members are its own, and none is the schema of a library. */
function isOwn(map: Fields): boolean {
  for (const key in map) {
    const one = Object.hasOwn(map, key) ? field(map, key) : map
    if (one === map || typeof one === 'function' || (isFields(one) && isLibrarySchema(one))) return false
  }
  return true
}

function written(schema: Fields): unknown {
  try {
    return JSON.parse(JSON.stringify(schema))
  } catch {
    return undefined
  }
}
