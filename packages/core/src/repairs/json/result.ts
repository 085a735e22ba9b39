import type { RepairClass } from '../../contract/certificate.ts'

/** One change that makes a text JSON; the offset counts in the given text. */
export interface JsonEdit {
  readonly rule: string
  readonly class: RepairClass
  readonly start: number
  readonly before: string
  readonly after: string
}

/** How a text ended: whole, with nothing but closers missing after a complete value, or inside a value. */
export type JsonCut = 'none' | 'closers' | 'inside'

/** A value with the changes that were needed to read it, or the place and reason of the refusal. Only with `partial` is a value read that the text's end cuts. */
export type JsonRepair =
  | {
      readonly ok: true
      readonly value: unknown
      /** Sorted, and none overlaps another. */
      readonly edits: readonly JsonEdit[]
      readonly start: number
      readonly end: number
      readonly cut: JsonCut
    }
  | {
      readonly ok: false
      readonly at: number
      readonly reason: string
      /** Set when the text ends inside a value, which is never completed. */
      readonly cut?: 'inside'
    }
