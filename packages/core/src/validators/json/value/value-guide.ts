import type { RepairClass } from '../../../contract/certificate.ts'
import { lenientText } from '../../../repairs/json/lenient-text.ts'
import type { SchemaRule } from '../../../repairs/schema-guided/edit.ts'
import { BoundedPlanner } from '../../../repairs/schema-guided/planner.ts'
import {
  allowsType,
  choicesOf,
  declaredKeys,
  isClosed,
  itemSchemas,
  type Shape,
  schemasOf,
  shapesOf,
} from '../../../repairs/schema-guided/shape.ts'
import { sameWord } from '../../../repairs/schema-guided/similar.ts'
import { BoundedInterpreter } from '../../../schema/bounded-interpreter.ts'
import type { CompiledSchema } from '../../../schema/compile.ts'
import type { SchemaNode } from '../../../schema/read/document.ts'
import { budgetFor } from '../../../schema/step-budget.ts'
import { readJsonTree } from '../../../schema/values/json-tree.ts'
import { isObject, own } from '../../../schema/values/json-value.ts'

/** What becomes of a value that is complete. */
export type Fitted = { readonly kind: 'shown'; readonly value: unknown } | { readonly kind: 'hidden' } | { readonly kind: 'wrong' }

/** The schemas that all apply to a value; none where nothing is known of it. */
export type Wants = readonly SchemaNode[]

const hidden: Fitted = { kind: 'hidden' }
const wrong: Fitted = { kind: 'wrong' }
/** Changes whose result does not depend on how a number was written in the text. */
const exact: ReadonlySet<SchemaRule> = new Set([
  'string-to-number',
  'string-to-boolean',
  'string-to-null',
  'rename-key',
  'remove-property',
  'drop-null',
  'fill-default',
])
const kinds = ['object', 'array', 'string', 'number', 'boolean']

/** Tells of the parts of a value, one by one, what the schema will make of them at the end, as the repair of the whole would. */
export class ValueGuide {
  readonly #interpreter: BoundedInterpreter
  readonly #allow: readonly RepairClass[]

  constructor(compiled: CompiledSchema, allow: readonly RepairClass[]) {
    this.#interpreter = new BoundedInterpreter(compiled.interpreter, budgetFor(Number.POSITIVE_INFINITY))
    this.#allow = allow
  }

  get root(): Wants {
    return [this.#interpreter.root]
  }

  allows(kind: RepairClass): boolean {
    return this.#allow.includes(kind)
  }

  /** The one shape that a value of this kind can have, whatever else it holds; undefined when there may be several. */
  shapeOf(wants: Wants, kind: string): Shape | undefined {
    const shapes = shapesOf(this.#interpreter, wants, undefined)
    const [shape, ...others] = shapes.filter((one) => allowsType(one, kind))
    if (shape === undefined || others.length > 0 || choicesOf(shape) || shape.some(dependsOnValue)) return undefined
    // A value that is wrong for this one could be rewritten for another.
    const isOnly = shapes.every((one) => one === shape || !kinds.some((other) => allowsType(one, other)))
    return isOnly ? shape : undefined
  }

  /** Whether no value of this kind can be made what is wanted, whatever it holds. */
  excludes(wants: Wants, kind: 'object' | 'array'): boolean {
    const shapes = shapesOf(this.#interpreter, wants, undefined)
    if (shapes.length === 0 || shapes.some((one) => one.some(dependsOnValue))) return false
    // An object alone may be put into the array that is wanted.
    const mayBe = (one: Shape): boolean => allowsType(one, kind) || (kind === 'object' && allowsType(one, 'array'))
    return !this.allows('guess') && !shapes.some(mayBe)
  }

  /** Whether a member can neither stay nor be renamed or removed. */
  forbids(shape: Shape, key: string): boolean {
    return isClosed(shape) && !this.allows('lossy') && sameWord(key, declaredKeys(shape), String) === undefined
  }

  /** How many items an array may have. */
  mostItems(shape: Shape): number {
    const limits = shape.map(({ schema }) => (isObject(schema) ? own(schema, 'maxItems') : undefined))
    return this.allows('guess') ? Number.POSITIVE_INFINITY : Math.min(...limits.filter((limit) => typeof limit === 'number'))
  }

  /** What applies to a member; undefined when it may have to be renamed or removed. */
  member(shape: Shape, key: string): Wants | undefined {
    const known = schemasOf(this.#interpreter, shape, key)
    return known ?? (declaredKeys(shape).length === 0 && !isClosed(shape) ? [] : undefined)
  }

  item(shape: Shape, index: number): Wants {
    return itemSchemas(this.#interpreter, shape, index)
  }

  /** What becomes of a whole value. */
  fit(wants: Wants, value: unknown, mayBeAbsent: boolean): Fitted {
    const text = JSON.stringify(value)
    // A line break before a closing quote may have to go, and a string that stands alone is shown without it.
    if (typeof value === 'object' && /\\[nr]"/.test(text)) return hidden
    if (wants.every((want) => this.#interpreter.accepts(want, value))) return { kind: 'shown', value }
    const node = readJsonTree(text)
    if (node === undefined) return hidden
    const planner = new BoundedPlanner({
      interpreter: this.#interpreter,
      allow: this.#allow,
      defaults: 'required',
      readLenient: lenientText,
    })
    const plan = planner.plan({ text, node, wants, path: [] })
    if (!plan.valid) return value === null && mayBeAbsent && this.allows('lossy') ? hidden : wrong
    const isExact = plan.edits.every(({ rule, before }) => exact.has(rule) || (rule === 'match-enum' && before.startsWith('"')))
    return isExact ? { kind: 'shown', value: plan.value } : hidden
  }
}

/** Whether other schemas apply by what a value holds, which is known at its end. */
function dependsOnValue({ schema }: SchemaNode): boolean {
  return isObject(schema) && ['if', 'dependentSchemas', 'dependencies'].some((keyword) => Object.hasOwn(schema, keyword))
}
