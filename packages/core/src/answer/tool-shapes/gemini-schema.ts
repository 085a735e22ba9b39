import { field, isFields } from './fields.ts'

/** Deeper schemas are left as they are, and fail where they are used. */
const deepest = 100

/** JSON Schema of Gemini's own kind of schema, which writes its types in capitals and marks what may be null. */
export function geminiSchema(schema: unknown, depth = 0): unknown {
  if (!isFields(schema) || depth > deepest) return schema
  const inner = (one: unknown): unknown => geminiSchema(one, depth + 1)
  const { type: given, nullable, properties, items, anyOf, ...rest } = schema
  const type = typeof given === 'string' ? given.toLowerCase() : given
  return {
    ...rest,
    ...(type === undefined || type === 'type_unspecified' ? {} : { type: nullable === true ? [type, 'null'] : type }),
    ...(isFields(properties)
      ? { properties: Object.fromEntries(Object.keys(properties).map((name) => [name, inner(field(properties, name))])) }
      : {}),
    ...(items === undefined ? {} : { items: inner(items) }),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(inner) } : {}),
  }
}
