import { isObject, own } from '../../../json/json-value.ts'
import {
  allowsType,
  choicesOf,
  declaredKeys,
  isClosed,
  itemSchemas,
  requiredKeys,
  type Shape,
  schemasOf,
  shapesOf,
} from '../../../repairs/schema-guided/shape.ts'
import { sameWord } from '../../../repairs/schema-guided/similar.ts'
import { BoundedInterpreter } from '../../../schema/bounded-interpreter.ts'
import type { CompiledSchema } from '../../../schema/compile.ts'
import type { SchemaNode } from '../../../schema/read/document.ts'
import { budgetFor } from '../../../schema/step-budget.ts'

/** The schemas that all apply to a value; none where nothing is known of it. */
export type Wants = readonly SchemaNode[]

/** What the one shape that a value has says of its parts. */
export interface KnownShape {
  readonly required: ReadonlySet<string>
  readonly mostItems: number
  readonly isClosed: boolean
  /** What applies to a member; undefined when it may have to be renamed or removed. */
  member(key: string): Wants | undefined
  item(index: number): Wants
  /** Whether a key is another spelling of one that is declared. */
  meansDeclared(key: string): boolean
}

const kinds = ['object', 'array', 'string', 'number', 'boolean']
/** Keys of an answer that are remembered, so that hostile ones cost no memory. */
const mostKeys = 256

/** The shapes of a schema, each worked out once, however many answers are read. */
export class SchemaShapes {
  readonly compiled: CompiledSchema
  readonly root: Wants
  readonly #shapes = new WeakMap<Wants, Map<string, KnownShape | undefined>>()
  readonly #impossible = new WeakMap<Wants, Map<string, boolean>>()

  constructor(compiled: CompiledSchema) {
    this.compiled = compiled
    this.root = [compiled.interpreter.root]
  }

  /** The one shape that a value of this kind can have, whatever else it holds; undefined when there may be several. */
  shapeOf(wants: Wants, kind: string): KnownShape | undefined {
    return remember(this.#shapes, wants, kind, () => this.#findShape(wants, kind))
  }

  /** Whether no value of this kind can be made what is wanted without a guess, whatever it holds. */
  excludes(wants: Wants, kind: string): boolean {
    return remember(this.#impossible, wants, kind, () => {
      const shapes = shapesOf(this.#interpreter(), wants, undefined)
      if (shapes.length === 0 || shapes.some((one) => one.some(dependsOnValue))) return false
      // An object alone may be put into the array that is wanted.
      return !shapes.some((one) => allowsType(one, kind) || (kind === 'object' && allowsType(one, 'array')))
    })
  }

  #findShape(wants: Wants, kind: string): KnownShape | undefined {
    const shapes = shapesOf(this.#interpreter(), wants, undefined)
    const [shape, ...others] = shapes.filter((one) => allowsType(one, kind))
    if (shape === undefined || others.length > 0 || choicesOf(shape) || shape.some(dependsOnValue)) return undefined
    // A value that is wrong for this one could be rewritten for another.
    const isOnly = shapes.every((one) => one === shape || !kinds.some((other) => allowsType(one, other)))
    return isOnly ? this.#know(shape) : undefined
  }

  #know(shape: Shape): KnownShape {
    const limits = shape.map(({ schema }) => (isObject(schema) ? own(schema, 'maxItems') : undefined))
    const declared = declaredKeys(shape)
    const closed = isClosed(shape)
    const members = new Map<string, Wants | undefined>()
    const findMember = (key: string): Wants | undefined =>
      schemasOf(this.#interpreter(), shape, key) ?? (declared.length === 0 && !closed ? [] : undefined)
    const isUniform = shape.every(
      ({ schema }) => !isObject(schema) || !(Array.isArray(own(schema, 'prefixItems')) || Array.isArray(own(schema, 'items'))),
    )
    let item: Wants | undefined
    return {
      required: requiredKeys(shape),
      mostItems: Math.min(...limits.filter((limit) => typeof limit === 'number')),
      isClosed: closed,
      member: (key) => {
        if (members.has(key)) return members.get(key)
        const found = findMember(key)
        if (members.size < mostKeys) members.set(key, found)
        return found
      },
      item: (index) => {
        if (!isUniform) return itemSchemas(this.#interpreter(), shape, index)
        item ??= itemSchemas(this.#interpreter(), shape, 0)
        return item
      },
      meansDeclared: (key) => sameWord(key, declared, String) !== undefined,
    }
  }

  #interpreter(): BoundedInterpreter {
    return new BoundedInterpreter(this.compiled.interpreter, budgetFor(0))
  }
}

/** Whether other schemas apply by what a value holds, which is known at its end. */
function dependsOnValue({ schema }: SchemaNode): boolean {
  return isObject(schema) && ['if', 'dependentSchemas', 'dependencies'].some((keyword) => Object.hasOwn(schema, keyword))
}

function remember<Value>(known: WeakMap<Wants, Map<string, Value>>, wants: Wants, kind: string, find: () => Value): Value {
  const found = known.get(wants) ?? new Map<string, Value>()
  if (found.size === 0) known.set(wants, found)
  if (!found.has(kind)) found.set(kind, find())
  return found.get(kind) as Value
}
