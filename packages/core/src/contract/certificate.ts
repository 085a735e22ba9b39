import type { TextSpan } from '../answer/span.ts'

/** What a repair may cost: nothing the model said, something it said, or a guess at what it meant. */
export const repairClasses = ['lossless', 'lossy', 'guess'] as const

/** One of `lossless`, `lossy`, `guess`. */
export type RepairClass = (typeof repairClasses)[number]

/** The record of one change that a repair made to the text; the certificate is the edit that is applied. */
export interface Certificate {
  /** Name of the rule that made the change. */
  readonly rule: string
  readonly class: RepairClass
  /** Offsets in the text as it was just before the repair that holds this change. */
  readonly span: TextSpan
  readonly before: string
  readonly after: string
}
