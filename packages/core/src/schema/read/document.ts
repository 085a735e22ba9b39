import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../json/json-value.ts'
import { type Draft, draftOf } from '../draft.ts'
import { SchemaError } from '../schema-error.ts'
import { metaschemasAt } from './metaschemas.ts'
import { isSchema, type RawSchema, subschemas } from './subschemas.ts'

/** A schema with an address of its own, and the names given to places in it. */
export interface SchemaResource {
  readonly uri: string
  readonly root: RawSchema
  readonly draft: Draft
  readonly anchors: Map<string, SchemaNode>
  readonly dynamicAnchors: Map<string, SchemaNode>
}

/** A schema in its resource, which is what its references are relative to. */
export interface SchemaNode {
  readonly schema: RawSchema
  readonly resource: SchemaResource
}

/** The address of a schema that has none: relative addresses can be resolved against it, and nothing is there. */
const nowhere = 'schema:///'

/** A schema that was read once: its resources, anchors and references, none of which is ever fetched. */
export class SchemaDocument {
  readonly draft: Draft
  readonly root: SchemaNode
  readonly #resources = new Map<string, SchemaResource>()
  readonly #nodes = new Map<JsonObject, SchemaNode>()
  readonly #keywords = new Set<string>()

  constructor(schema: RawSchema, draft: Draft) {
    this.draft = draft
    this.root = this.#read(schema, this.#addResource(nowhere, schema, draft))
    for (const node of this.#nodes.values()) for (const keyword of referenceKeywords) this.resolve(node, keyword)
  }

  /** Whether a keyword is used anywhere in the document or in what it refers to. */
  uses(keyword: string): boolean {
    return this.#keywords.has(keyword)
  }

  /** All schemas of the document that are objects; more may come while it is walked. */
  get nodes(): Iterable<SchemaNode> {
    return this.#nodes.values()
  }

  /** A schema right inside another one. */
  child(parent: SchemaNode, schema: RawSchema): SchemaNode {
    return (isObject(schema) ? this.#nodes.get(schema) : undefined) ?? { schema, resource: parent.resource }
  }

  /** What a reference of a schema points at; undefined when it has none of that keyword. Throws a SchemaError when it points nowhere. */
  resolve({ schema, resource }: SchemaNode, keyword: '$ref' | '$dynamicRef' | '$recursiveRef'): SchemaNode | undefined {
    const reference = isObject(schema) ? own(schema, keyword) : undefined
    if (typeof reference !== 'string') return undefined
    const [address, fragment] = locate(reference, resource.uri)
    const target = this.#resources.get(address) ?? this.#addMetaschemas(address)
    if (target === undefined) {
      throw new SchemaError(
        'remote-reference',
        `the reference ${JSON.stringify(reference.slice(0, 200))} points outside the schema; references are never fetched, so put its target into $defs`,
      )
    }
    const found = fragment === '' || fragment.startsWith('/') ? this.#followPointer(target, fragment) : target.anchors.get(fragment)
    if (found) return found
    throw new SchemaError('unresolved-reference', `the reference ${JSON.stringify(reference.slice(0, 200))} has no target in the schema`)
  }

  #addResource(uri: string, root: RawSchema, draft: Draft): SchemaResource {
    const resource = { uri, root, draft, anchors: new Map(), dynamicAnchors: new Map() }
    if (!this.#resources.has(uri)) this.#resources.set(uri, resource)
    return resource
  }

  /** Notes a schema and all schemas inside it. */
  #read(schema: RawSchema, above: SchemaResource): SchemaNode {
    if (!isObject(schema)) return { schema, resource: above }
    const known = this.#nodes.get(schema)
    if (known) return known
    for (const keyword of Object.keys(schema)) this.#keywords.add(keyword)
    const { draft } = above
    // In draft 7, a reference disables other keywords beside it, names included.
    const id = draft === '7' && Object.hasOwn(schema, '$ref') ? undefined : own(schema, '$id')
    const isAnchor = typeof id === 'string' && draft === '7' && id.startsWith('#')
    const resource = typeof id === 'string' && !isAnchor ? this.#addResource(locate(id, above.uri)[0], schema, draft) : above
    const node: SchemaNode = { schema, resource }
    this.#nodes.set(schema, node)
    if (isAnchor) resource.anchors.set(id.slice(1), node)
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = own(schema, keyword)
      if (typeof name !== 'string' || draft === '7') continue
      resource.anchors.set(name, node)
      if (keyword === '$dynamicAnchor') resource.dynamicAnchors.set(name, node)
    }
    for (const inner of subschemas(schema)) this.#read(inner, resource)
    return node
  }

  #addMetaschemas(uri: string): SchemaResource | undefined {
    for (const schema of metaschemasAt(uri) ?? []) this.#read(schema, this.#addResource(nowhere, schema, draftOf(schema)))
    return this.#resources.get(uri)
  }

  #followPointer(target: SchemaResource, fragment: string): SchemaNode | undefined {
    let current: JsonValue | undefined = target.root
    let { resource } = isObject(current) ? this.#read(current, target) : { resource: target }
    for (const token of fragment.split('/').slice(1)) {
      const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
      current = isArray(current) ? current[Number(key)] : isObject(current) ? own(current, key) : undefined
      resource = (isObject(current) ? this.#nodes.get(current)?.resource : undefined) ?? resource
    }
    return isSchema(current) ? this.#read(current, resource) : undefined
  }
}

const referenceKeywords = ['$ref', '$dynamicRef', '$recursiveRef'] as const

/** An address resolved against another, and the fragment that it names. */
function locate(reference: string, base: string): readonly [address: string, fragment: string] {
  try {
    const url = new URL(reference, base)
    const fragment = decodeURIComponent(url.hash.slice(1))
    url.hash = ''
    return [url.href, fragment]
  } catch {
    throw new SchemaError('invalid', `${JSON.stringify(reference.slice(0, 200))} is not an address`)
  }
}
