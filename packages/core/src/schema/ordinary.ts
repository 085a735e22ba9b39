import type { SchemaDocument, SchemaNode } from './document.ts'
import type { Interpreter } from './interpreter.ts'
import { isObject, own } from './json-value.ts'
import { isSchema, type RawSchema, subschemas } from './subschemas.ts'

/** Keywords that ajv reads otherwise than the specification (the official suites show it), or whose cost is not linear in it. */
const odd = [
  '$dynamicAnchor',
  '$dynamicRef',
  '$recursiveAnchor',
  '$recursiveRef',
  'contains',
  'dependencies',
  'multipleOf',
  'unevaluatedItems',
  'unevaluatedProperties',
  'uniqueItems',
]

/** Schemas that a compiler may have to write out, references followed. */
const largest = 2000

/** Combinators within combinators: ajv takes seconds at twelve. */
const deepestCombinators = 4

/** Larger patterns need the interpreter's budget: generated code has none. */
const largestPattern = 100

/** Tells whether a schema is one that generated code checks soundly and that is cheap to generate code for. */
export function isOrdinary(interpreter: Interpreter): boolean {
  const { document } = interpreter
  if (interpreter.largestPattern > largestPattern) return false
  if (odd.some((keyword) => document.uses(keyword))) return false
  for (const { schema } of document.nodes) {
    if (!isObject(schema)) continue
    // Resources within resources, and names that are no plain data to an object.
    if (schema !== document.root.schema && Object.hasOwn(schema, '$id')) return false
    const properties = own(schema, 'properties')
    if (isObject(properties) && Object.hasOwn(properties, '__proto__')) return false
    const allowed = own(schema, 'enum')
    if (Array.isArray(allowed) && allowed.length === 0) return false
  }
  return sizeOf(document) <= largest
}

/** How many schemas stand in the document with its references written out; infinite when it refers to itself or nests combinators. */
function sizeOf(document: SchemaDocument): number {
  const sizes = new Map<RawSchema, number>()
  const open = new Set<RawSchema>()
  const visit = (node: SchemaNode, combinators: number): number => {
    const { schema } = node
    if (!isObject(schema)) return 1
    if (open.has(schema) || combinators > deepestCombinators) return Number.POSITIVE_INFINITY
    const known = sizes.get(schema)
    if (known !== undefined && combinators === 0) return known
    open.add(schema)
    const target = document.resolve(node, '$ref')
    let size = 1 + (target ? visit(target, combinators) : 0)
    const combined = new Set(combinedIn(schema))
    for (const inner of subschemas(schema)) {
      size += size > largest ? 0 : visit(document.child(node, inner), combined.has(inner) ? combinators + 1 : 0)
    }
    open.delete(schema)
    if (combinators === 0) sizes.set(schema, size)
    return size
  }
  return visit(document.root, 0)
}

function combinedIn(schema: Exclude<RawSchema, boolean>): RawSchema[] {
  return ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'].flatMap((keyword) => [own(schema, keyword)].flat().filter(isSchema))
}
