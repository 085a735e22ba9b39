import { isFields } from '../../answer/tool-shapes/fields.ts'

/** Keywords that our own check of arguments knows, and those that say nothing about a value. */
const ownKeywords = new Set(
  (
    'type enum const required properties items prefixItems additionalProperties allOf anyOf nullable ' +
    'title description default examples example deprecated readOnly writeOnly $schema $id $comment strict'
  ).split(' '),
)
const branching = new Set(['allOf', 'anyOf'])
/** Keywords whose value maps names to schemas. */
const named = new Set(['properties', '$defs', 'definitions'])
/** Keywords whose value is no schema, whatever it looks like. */
const values = new Set(
  'enum const default examples example required type nullable deprecated readOnly writeOnly strict title description'.split(' '),
)
const deepest = 32

/** Tells whether a schema says more than our own check of arguments knows; most schemas of tools do not, and need not be compiled. */
export function needsEngine(schema: unknown, depth = 0, seen = new Set<unknown>()): boolean {
  // `false` stands for a value that must not be there.
  if (schema === false) return true
  if (Array.isArray(schema)) return schema.some((one) => needsEngine(one, depth + 1, seen))
  // What is used in many places is looked at once.
  if (!isFields(schema) || seen.has(schema)) return false
  if (depth > deepest) return true
  seen.add(schema)
  return Object.entries(schema).some(([key, value]) => {
    if (!ownKeywords.has(key) && !named.has(key)) return true
    if (values.has(key) || (key === 'additionalProperties' && value === false)) return false
    if (named.has(key)) return isFields(value) && Object.values(value).some((one) => needsEngine(one, depth + 1, seen))
    return (branching.has(key) && hasObjects(value)) || needsEngine(value, depth + 1, seen)
  })
}

/** Our own check tells objects apart by their type only, not by the properties that each alternative has. */
function hasObjects(branches: unknown): boolean {
  return Array.isArray(branches) && branches.some((one) => isFields(one) && (isFields(one.properties) || 'additionalProperties' in one))
}
