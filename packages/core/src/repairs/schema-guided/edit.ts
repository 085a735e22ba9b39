import type { RepairClass } from '../../contract/certificate.ts'
import type { TextChange } from '../apply.ts'

/** The rules by which a value is changed to what its schema wants. */
export type SchemaRule =
  | 'string-to-number'
  | 'string-to-boolean'
  | 'string-to-null'
  | 'number-to-boolean'
  | 'number-to-string'
  | 'unstringify'
  | 'match-enum'
  | 'rename-key'
  | 'fill-default'
  | 'fill-const'
  | 'drop-null'
  | 'drop-item'
  | 'remove-property'
  | 'wrap-in-array'
  | 'unwrap-array'
  | 'unwrap-object'
  | 'positional-array'

/** One change to a JSON text that its schema asks for. */
export interface SchemaEdit extends TextChange {
  readonly rule: SchemaRule
  readonly class: RepairClass
  /** Keys and indices, as they were, to what is changed. */
  readonly path: readonly (string | number)[]
}

/** The planned result for a value. */
export interface Plan {
  readonly edits: readonly SchemaEdit[]
  readonly value: unknown
  /** Whether the value is then what its schema wants. */
  readonly valid: boolean
}

const ranks: Readonly<Record<RepairClass, number>> = { lossless: 0, lossy: 1, guess: 2 }

/** Wrapping a value says more about it than reading it. */
const weights: Partial<Record<SchemaRule, number>> = {
  'wrap-in-array': 2,
  'unwrap-array': 2,
  'unwrap-object': 2,
  'positional-array': 4,
  'drop-item': 4,
}

/** The riskiest class among some edits. */
export function riskiest(edits: readonly { readonly class: RepairClass }[], least: RepairClass = 'lossless'): RepairClass {
  return edits.reduce((worst, edit) => (ranks[edit.class] > ranks[worst] ? edit.class : worst), least)
}

/** Orders plans: less risk first, then fewer changes. */
export function compareCost(a: Plan, b: Plan): number {
  return ranks[riskiest(a.edits)] - ranks[riskiest(b.edits)] || weigh(a) - weigh(b)
}

function weigh({ edits }: Plan): number {
  return edits.reduce((sum, { rule }) => sum + (weights[rule] ?? 1), 0)
}
