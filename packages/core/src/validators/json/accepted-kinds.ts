import { allowsType, type Shape, shapesOf } from '../../repairs/schema-guided/shape.ts'
import { BoundedInterpreter } from '../../schema/bounded-interpreter.ts'
import type { CompiledSchema } from '../../schema/compile.ts'
import { SchemaError } from '../../schema/schema-error.ts'
import { budgetFor } from '../../schema/step-budget.ts'
import { isObject } from '../../schema/values/json-value.ts'
import type { AcceptedKinds } from '../shared/prose-values.ts'

/** Keywords that say nothing of other kinds of value, though a schema with them means this one. */
const keywords = {
  array: ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'patternProperties', 'additionalProperties', 'minProperties', 'maxProperties'],
}

/** Whether a schema accepts arrays and objects, worked out when it is asked for; a library's schema without a JSON Schema may accept both. */
export function acceptedKinds(compiled: CompiledSchema | undefined): AcceptedKinds {
  const known: { array?: boolean; object?: boolean } = {}
  const accepts = (kind: 'array' | 'object'): boolean => {
    known[kind] ??= compiled === undefined || readShapes(compiled).some((shape) => meansKind(shape, kind))
    return known[kind]
  }
  return {
    get array() {
      return accepts('array')
    },
    get object() {
      return accepts('object')
    },
  }
}

/** One shape that says nothing where there are too many. */
function readShapes({ interpreter }: CompiledSchema): readonly Shape[] {
  try {
    const shapes = shapesOf(new BoundedInterpreter(interpreter, budgetFor(0)), [interpreter.root], undefined)
    return shapes.length > 0 ? shapes : [[]]
  } catch (error) {
    if (error instanceof SchemaError) return [[]]
    throw error
  }
}

function meansKind(shape: Shape, kind: 'array' | 'object'): boolean {
  if (!allowsType(shape, kind)) return false
  const mentions = (one: 'array' | 'object') =>
    shape.some(({ schema }) => isObject(schema) && keywords[one].some((keyword) => Object.hasOwn(schema, keyword)))
  return mentions(kind) || !mentions(kind === 'array' ? 'object' : 'array')
}
