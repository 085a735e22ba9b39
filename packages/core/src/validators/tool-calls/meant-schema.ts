import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { jsonType } from '../../answer/tool-shapes/plan-parameters.ts'

/** Keywords whose value is not a schema, whatever it looks like. */
const values = new Set(['enum', 'const', 'default', 'examples', 'example'])

/** A schema without the slips that models and providers read over: Python's names of types, such as `dict`, and `required: true` at a property. */
export function asMeant(schema: Fields): Fields {
  return replaced(schema) as Fields
}

function replaced(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(replaced)
  if (!isFields(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (key === 'required' && typeof value === 'boolean') return []
      if (values.has(key)) return [[key, value]]
      if (key !== 'type') return [[key, replaced(value)]]
      return [[key, Array.isArray(value) ? value.map(jsonType) : isFields(value) ? replaced(value) : jsonType(value)]]
    }),
  )
}
