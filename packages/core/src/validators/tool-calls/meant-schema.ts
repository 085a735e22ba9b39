import { type Fields, field, isFields } from '../../answer/tool-shapes/fields.ts'
import { jsonType } from '../../answer/tool-shapes/plan-parameters.ts'

/** Keywords whose value is not a schema, whatever it looks like. */
const values = new Set(['enum', 'const', 'default', 'examples', 'example'])

/** Keywords whose value has schemas by name. */
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

/** Keywords whose schemas are of parts of the value, of which `required: false` says nothing, and `true` what their whole requires. */
const parts = new Set(['properties', 'patternProperties', 'additionalProperties', 'items'])

/** A schema without the slips that models and providers read over: Python's names of types, such as `dict`, and `required: true` at a property. */
export function asMeant(schema: Fields): Fields {
  return replaced(schema, false) as Fields
}

function replaced(schema: unknown, isPart: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((one) => replaced(one, isPart))
  if (!isFields(schema)) return schema
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    // It is unknown which arguments a global `required: true` means.
    if (key === 'required' && typeof value === 'boolean') return value && !isPart ? [[key, value]] : []
    if (values.has(key)) return [[key, value]]
    if (maps.has(key) && isFields(value))
      return [[key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, parts.has(key))]))]]
    if (key !== 'type') return [[key, replaced(value, parts.has(key))]]
    return [[key, Array.isArray(value) ? value.map(jsonType) : isFields(value) ? replaced(value, false) : jsonType(value)]]
  })
  const required = requiredParts(schema)
  return Object.fromEntries(required.length > 0 ? [...entries, ['required', required]] : entries)
}

/** The properties that are required, by the list or by themselves; none where the list is all there is. */
function requiredParts({ properties, required }: Fields): readonly unknown[] {
  const own = isFields(properties) ? Object.keys(properties).filter((name) => field(properties[name], 'required') === true) : []
  return own.length > 0 ? [...new Set([...(Array.isArray(required) ? required : []), ...own])] : []
}
