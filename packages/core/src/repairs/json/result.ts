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

/** Why a text is not read as a value. */
export type RefusalReason =
  | 'a NUL character'
  | 'a NUL character in a string'
  | 'a backslash outside of a string'
  | 'a call with several arguments'
  | 'a closing bracket without an opening one'
  | 'a colon in an array'
  | 'a colon was expected'
  | 'a comma or a closing bracket was expected'
  | 'a fence where a value was expected'
  | 'a key was expected'
  | 'a sign that cannot start a value'
  | 'a value was expected'
  | 'brackets that are nested too deeply'
  | 'no JSON value'
  | 'the text ends inside a value'
  | 'unquoted text that contains a delimiter'

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
      readonly reason: RefusalReason
      /** Set when the text ends inside a value, which is never completed. */
      readonly cut?: 'inside'
    }
