import type { RepairClass } from '../../../contract/certificate.ts'
import { readJsonTree } from '../../../json/json-tree.ts'
import { lenientText } from '../../../repairs/json/lenient-text.ts'
import type { SchemaRule } from '../../../repairs/schema-guided/edit.ts'
import { BoundedPlanner } from '../../../repairs/schema-guided/planner.ts'
import { BoundedInterpreter } from '../../../schema/bounded-interpreter.ts'
import { budgetFor } from '../../../schema/step-budget.ts'
import type { KnownShape, SchemaShapes, Wants } from './schema-shapes.ts'

/** The result for a complete value. */
export type Fitted = { readonly kind: 'shown'; readonly value: unknown } | { readonly kind: 'hidden' } | { readonly kind: 'wrong' }

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

/** Predicts, part by part, what the schema-guided repair of the whole value will produce. */
export class ValueGuide {
  readonly shapes: SchemaShapes
  readonly #interpreter: BoundedInterpreter
  readonly #allow: readonly RepairClass[]

  constructor(shapes: SchemaShapes, allow: readonly RepairClass[]) {
    this.shapes = shapes
    this.#interpreter = new BoundedInterpreter(shapes.compiled.interpreter, budgetFor(Number.POSITIVE_INFINITY))
    this.#allow = allow
  }

  /** Whether no value of this kind can be made what is wanted, whatever it holds. */
  excludes(wants: Wants, kind: 'object' | 'array'): boolean {
    return !this.#allow.includes('guess') && this.shapes.excludes(wants, kind)
  }

  /** Whether a member can neither stay nor be renamed or removed. */
  forbids(shape: KnownShape, key: string): boolean {
    return shape.isClosed && !this.#allow.includes('lossy') && !shape.meansDeclared(key)
  }

  /** How many items an array may have. */
  mostItems(shape: KnownShape): number {
    return this.#allow.includes('guess') ? Number.POSITIVE_INFINITY : shape.mostItems
  }

  /** The result for a whole value. */
  fit(wants: Wants, value: unknown, mayBeAbsent: boolean): Fitted {
    const isWhole = typeof value !== 'object' || value === null
    const text = isWhole ? '' : JSON.stringify(value)
    // A line break before a closing quote may have to go, and a string without other text is shown without it.
    if (/\\[nr]"/.test(text)) return hidden
    if (wants.every((want) => this.#interpreter.accepts(want, value))) return { kind: 'shown', value }
    return this.#plan(wants, value, isWhole ? JSON.stringify(value) : text, mayBeAbsent)
  }

  #plan(wants: Wants, value: unknown, text: string, mayBeAbsent: boolean): Fitted {
    const node = readJsonTree(text)
    if (node === undefined) return hidden
    const planner = new BoundedPlanner({
      interpreter: this.#interpreter,
      allow: this.#allow,
      defaults: 'required',
      readLenient: lenientText,
    })
    const plan = planner.plan({ text, node, wants, path: [] })
    if (!plan.valid) return value === null && mayBeAbsent && this.#allow.includes('lossy') ? hidden : wrong
    const isExact = plan.edits.every(({ rule, before }) => exact.has(rule) || (rule === 'match-enum' && before.startsWith('"')))
    return isExact ? { kind: 'shown', value: plan.value } : hidden
  }
}
