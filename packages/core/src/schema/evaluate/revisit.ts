import type { SchemaDocument } from '../read/document.ts'
import { subschemas } from '../read/subschemas.ts'
import { isObject } from '../values/json-value.ts'

/** Keywords that look at a value that another keyword may look at too. */
const again = ['allOf', 'anyOf', 'contains', 'dependencies', 'dependentSchemas', 'if', 'not', 'oneOf', 'patternProperties'] as const

/** Whether two ways may lead through references to the same schema and the same value: remembering verdicts pays only then. */
export function mayRevisit(document: SchemaDocument): boolean {
  if (!document.uses('$ref')) return false
  if (again.some((keyword) => document.uses(keyword))) return true
  for (const { schema } of document.nodes) {
    if (!isObject(schema) || !Object.hasOwn(schema, '$ref')) continue
    const { $defs: _defs, definitions: _definitions, ...rest } = schema
    if (subschemas(rest).length > 0) return true
  }
  return false
}
