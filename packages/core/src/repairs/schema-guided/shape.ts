import { canonical, isArray, isObject, type JsonValue, own } from '../../json/json-value.ts'
import type { BoundedInterpreter } from '../../schema/bounded-interpreter.ts'
import type { SchemaNode } from '../../schema/read/document.ts'
import { isSchema, type RawSchema } from '../../schema/read/subschemas.ts'

/** What a value should be, with one choice made among all alternatives: schemas that all apply, none of which only combines others. */
export type Shape = readonly SchemaNode[]

/** More combinations of alternatives than this are not looked at. */
const mostShapes = 128

/** The shapes that a value may have by some schemas that all apply; none when there are too many. */
export function shapesOf(interpreter: BoundedInterpreter, wants: readonly SchemaNode[], value: unknown): readonly Shape[] {
  return combine(interpreter, wants, value, new Set()) ?? []
}

function combine(
  interpreter: BoundedInterpreter,
  wants: readonly SchemaNode[],
  value: unknown,
  above: ReadonlySet<RawSchema>,
): SchemaNode[][] | undefined {
  interpreter.charge(above.size)
  const seen = new Set(above)
  let shapes: SchemaNode[][] = [[]]
  const open = [...wants]
  for (let node = open.pop(); node; node = open.pop()) {
    const current: SchemaNode = node
    const { schema } = current
    // A schema that comes round to itself says nothing new.
    if (!isObject(schema) || seen.has(schema)) continue
    seen.add(schema)
    interpreter.charge(shapes.length * 4)
    const inner = (keyword: string): SchemaNode[] =>
      [own(schema, keyword)]
        .flat()
        .filter(isSchema)
        .map((one) => interpreter.document.child(current, one))
    for (const shape of shapes) shape.push(current)
    const target = interpreter.document.resolve(current, '$ref')
    if (target) open.push(target)
    for (const one of [...inner('allOf'), ...conditional(interpreter, inner, value)]) open.push(one)
    for (const [key, one] of named(current, 'dependentSchemas'))
      if (isObject(value) && Object.hasOwn(value, key)) open.push(interpreter.document.child(current, one))
    for (const keyword of ['anyOf', 'oneOf']) {
      const expanded: SchemaNode[][] = []
      for (const branch of inner(keyword)) {
        const found = combine(interpreter, [branch], value, seen)
        if (!found || shapes.length * (expanded.length + found.length) > mostShapes) return undefined
        expanded.push(...found)
      }
      interpreter.charge(shapes.length * expanded.length * (1 + ((shapes[0]?.length ?? 0) >> 3)))
      if (expanded.length > 0) shapes = shapes.flatMap((shape) => expanded.map((branch) => [...shape, ...branch]))
    }
  }
  return shapes
}

function conditional(interpreter: BoundedInterpreter, inner: (keyword: string) => SchemaNode[], value: unknown): SchemaNode[] {
  const [condition] = inner('if')
  if (!condition) return []
  return interpreter.accepts(condition, value) ? inner('then') : inner('else')
}

/** Whether a shape allows a JSON type; `number` asks for numbers of any kind. */
export function allowsType(shape: Shape, kind: string): boolean {
  return shape.every(({ schema }) => {
    const type = isObject(schema) ? own(schema, 'type') : undefined
    if (type === undefined) return true
    const types = isArray(type) ? type : [type]
    return types.includes(kind) || (kind === 'number' && types.includes('integer'))
  })
}

/** The values that a shape names, when it names all that are allowed. */
export function choicesOf(shape: Shape): readonly JsonValue[] | undefined {
  const lists = shape.flatMap(({ schema }): (readonly JsonValue[])[] => {
    if (!isObject(schema)) return []
    const listed = own(schema, 'enum')
    const only = own(schema, 'const')
    return [...(isArray(listed) ? [listed] : []), ...(only === undefined ? [] : [[only]])]
  })
  const [first, ...others] = lists
  const texts = others.map((list) => new Set(list.map((one) => canonical(one, 32))))
  return first?.filter((one) => texts.every((list) => list.has(canonical(one, 32))))
}

/** Steps that reading the names and values of a shape once is worth. */
export function weightOf(shape: Shape): number {
  return shape.reduce((sum, { schema }) => {
    if (!isObject(schema)) return sum + 1
    const [properties, required, choices] = [own(schema, 'properties'), own(schema, 'required'), own(schema, 'enum')]
    return sum + 4 + 4 * lengthOf(properties && Object.keys(properties)) + 4 * lengthOf(required) + 40 * lengthOf(choices)
  }, 0)
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0
}

/** The schemas that apply to a property; undefined when the shape says nothing of it. */
export function schemasOf(interpreter: BoundedInterpreter, shape: Shape, key: string): SchemaNode[] | undefined {
  interpreter.charge(shape.length)
  const found: SchemaNode[] = []
  let isKnown = false
  for (const node of shape) {
    if (!isObject(node.schema)) continue
    const properties = own(node.schema, 'properties')
    const direct = isObject(properties) ? own(properties, key) : undefined
    const matching = named(node, 'patternProperties').filter(([pattern]) => interpreter.matches(pattern, key))
    const rest = own(node.schema, 'additionalProperties')
    const applying = [...(isSchema(direct) ? [direct] : []), ...matching.map(([, schema]) => schema)]
    if (applying.length > 0) isKnown = true
    else if (isSchema(rest) && rest !== false) {
      applying.push(rest)
      isKnown ||= isObject(rest)
    }
    for (const schema of applying) found.push(interpreter.document.child(node, schema))
  }
  return isKnown ? found : undefined
}

/** The names of the properties that a shape declares, in order. */
export function declaredKeys(shape: Shape): string[] {
  return [...new Set(shape.flatMap((node) => named(node, 'properties').map(([key]) => key)))]
}

/** The names of the properties that a shape requires. */
export function requiredKeys(shape: Shape): ReadonlySet<string> {
  const lists = shape.map(({ schema }) => (isObject(schema) ? own(schema, 'required') : undefined))
  return new Set(lists.flatMap((list) => (isArray(list) ? list.filter((key) => typeof key === 'string') : [])))
}

/** Whether a shape allows no properties but those it declares. */
export function isClosed(shape: Shape): boolean {
  return shape.some(
    ({ schema }) => isObject(schema) && (own(schema, 'additionalProperties') === false || own(schema, 'unevaluatedProperties') === false),
  )
}

/** The schemas that apply to the item at an index. */
export function itemSchemas(interpreter: BoundedInterpreter, shape: Shape, index: number): SchemaNode[] {
  interpreter.charge(shape.length)
  return shape.flatMap((node) => {
    if (!isObject(node.schema)) return []
    const items = own(node.schema, 'items')
    const prefix = isArray(items) ? items : own(node.schema, 'prefixItems')
    const listed = isArray(prefix) ? prefix[index] : undefined
    const schema = listed ?? (isArray(items) ? own(node.schema, 'additionalItems') : items)
    return isSchema(schema) ? [interpreter.document.child(node, schema)] : []
  })
}

function named({ schema }: SchemaNode, keyword: string): [string, RawSchema][] {
  const map = isObject(schema) ? own(schema, keyword) : undefined
  return Object.entries(isObject(map) ? map : {}).filter((entry): entry is [string, RawSchema] => isSchema(entry[1]))
}
