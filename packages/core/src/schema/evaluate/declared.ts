import { isArray, isObject, own } from '../../json/json-value.ts'
import type { SchemaDocument, SchemaNode } from '../read/document.ts'
import { isSchema } from '../read/subschemas.ts'

/** Deeper nesting of combinators and references declares no further properties. */
const deepest = 16

/** Parts of a document that are looked at for the properties they declare; after them nothing is taken for undeclared. */
const mostParts = 100_000

/** Gives the properties that a schema declares, also in its branches; undefined where others are welcome: declared as such, or nothing is declared at all. */
export function declaredIn(document: SchemaDocument): (node: SchemaNode) => ReadonlySet<string> | undefined {
  let left = mostParts
  return (root) => {
    const names = new Set<string>()
    const seen = new Set<unknown>()
    let [declares, welcomes] = [false, false]
    const visit = (node: SchemaNode, depth: number): void => {
      const { schema } = node
      if (!isObject(schema) || depth > deepest || seen.has(schema) || left < 0) return
      seen.add(schema)
      const properties = own(schema, 'properties')
      const others = own(schema, 'additionalProperties')
      const keys = isObject(properties) ? Object.keys(properties) : []
      left -= 1 + keys.length
      for (const name of keys) names.add(name)
      declares ||= isObject(properties) || others === false
      // A pattern or a schema for the rest says that names are free.
      welcomes ||= others === true || isObject(others) || isObject(own(schema, 'patternProperties'))
      for (const keyword of ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else']) {
        const held = own(schema, keyword)
        for (const inner of isArray(held) ? held : [held]) if (isSchema(inner)) visit(document.child(node, inner), depth + 1)
      }
      for (const keyword of ['dependentSchemas', 'dependencies']) {
        const held = own(schema, keyword)
        for (const inner of isObject(held) ? Object.values(held) : []) if (isSchema(inner)) visit(document.child(node, inner), depth + 1)
      }
      const target = document.resolve(node, '$ref')
      if (target) visit(target, depth + 1)
    }
    visit(root, 0)
    return declares && !welcomes && left >= 0 ? names : undefined
  }
}
