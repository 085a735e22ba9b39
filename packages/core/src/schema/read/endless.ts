import { isArray, isObject, type JsonObject, own } from '../../json/json-value.ts'
import { draftOf } from '../draft.ts'
import { SchemaError } from '../schema-error.ts'
import { SchemaDocument, type SchemaNode } from './document.ts'
import { isSchema, schemasUnder } from './subschemas.ts'

/** A schema, or all that a dynamic reference may mean. */
type Stop = JsonObject | readonly JsonObject[]

/** Throws a SchemaError when a schema comes back to itself at the same value: checking that would never end. Linear. */
export function refuseEndless(document: SchemaDocument): void {
  if (!references.some((keyword) => document.uses(keyword))) return
  const targets = new DynamicTargets(document)
  /** True on the way that is followed; false when everything behind it has an end. */
  const isOpen = new Map<Stop, boolean>()
  for (const { schema } of document.nodes) {
    if (!isObject(schema) || isOpen.has(schema)) continue
    const way: { readonly stop: Stop; readonly next: Stop[] }[] = []
    const enter = (stop: Stop): void => {
      isOpen.set(stop, true)
      way.push({ stop, next: isArray(stop) ? [...(stop as readonly JsonObject[])] : nextOf(stop as JsonObject, document, targets) })
    }
    enter(schema)
    for (let at = way.at(-1); at !== undefined; at = way.at(-1)) {
      const next = at.next.pop()
      if (next === undefined) {
        isOpen.set(at.stop, false)
        way.pop()
      } else if (isOpen.get(next) === true) throw endless(way.map(({ stop }) => stop))
      else if (!isOpen.has(next)) enter(next)
    }
  }
}

/** Whether a client's schema refers to itself without end; what else is wrong with it is for others to say. */
export function isEndless(schema: unknown): boolean {
  if (!isSchema(schema)) return false
  try {
    refuseEndless(new SchemaDocument(schema, draftOf(schema)))
    return false
  } catch (error) {
    if (error instanceof SchemaError) return error.reason === 'endless-reference'
    throw error
  }
}

const references = ['$ref', '$dynamicRef', '$recursiveRef'] as const

function endless(way: readonly Stop[]): SchemaError {
  const written = way.flatMap((stop) => (isObject(stop) ? references.map((keyword) => own(stop, keyword)) : []))
  const last = String(written.findLast((one) => typeof one === 'string')).slice(0, 200)
  return new SchemaError('endless-reference', `the schema refers to itself without end, through ${JSON.stringify(last)}`)
}

/** The schemas that see the same value. */
function nextOf(schema: JsonObject, document: SchemaDocument, targets: DynamicTargets): Stop[] {
  const node = document.child(document.root, schema)
  const { draft } = node.resource
  const target = document.resolve(node, '$ref')?.schema
  // In draft 7, a reference disables all other keywords beside it.
  if (draft === '7' && target !== undefined) return isObject(target) ? [target] : []
  const branches = own(schema, 'if') === undefined ? [] : ['if', 'then', 'else']
  const keywords = ['allOf', 'anyOf', 'oneOf', 'not', 'dependencies', ...branches, ...(draft === '7' ? [] : ['dependentSchemas'])]
  const inner = keywords.flatMap((keyword) => schemasUnder(keyword, own(schema, keyword)).map(([, held]) => held))
  const dynamic = draft === '2020-12' ? targets.of(node, '$dynamicRef') : draft === '2019-09' ? targets.of(node, '$recursiveRef') : []
  return [...inner, target, ...dynamic].filter((one): one is JsonObject => isObject(one) || isArray(one))
}

/** What dynamic references may mean: what the document itself has by that name, since it is the outermost; else any. */
class DynamicTargets {
  readonly #document: SchemaDocument
  readonly #known = new Map<unknown, readonly JsonObject[]>()

  constructor(document: SchemaDocument) {
    this.#document = document
  }

  of(node: SchemaNode, keyword: '$dynamicRef' | '$recursiveRef'): Stop[] {
    const target = this.#document.resolve(node, keyword)
    if (!target || !isObject(target.schema) || !isObject(node.schema)) return []
    const [anchor, name] =
      keyword === '$recursiveRef'
        ? (['$recursiveAnchor', true] as const)
        : (['$dynamicAnchor', String(own(node.schema, keyword)).split('#')[1]] as const)
    if (own(target.schema, anchor) !== name) return [target.schema]
    const known = this.#known.get(name) ?? this.#find(anchor, name)
    this.#known.set(name, known)
    return [known]
  }

  #find(anchor: string, name: unknown): readonly JsonObject[] {
    const { root, nodes } = this.#document
    const all = [...nodes].filter(({ schema }) => isObject(schema) && own(schema, anchor) === name)
    const outer = all.filter(({ resource }) => resource === root.resource)
    return (outer.length > 0 ? outer : all).map(({ schema }) => schema as JsonObject)
  }
}
