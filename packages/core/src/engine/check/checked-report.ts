import type { Certificate } from '../../contract/certificate.ts'
import type { Report } from './report.ts'

/** What every checked answer has; names that an `Outcome` has too mean the same. */
export interface CheckedBase extends Report {
  /** The answer's text, which a check does not change. */
  readonly text: string
  /** Empty: a check repairs nothing. */
  readonly repairs: readonly Certificate[]
}

/** An answer that keeps the contract, and its value. */
export interface AnsweredReport<Value> extends CheckedBase {
  readonly status: 'valid'
  /** Whether the answer keeps its contract. */
  readonly ok: true
  readonly value: Value
  /** The value, or the text where no validator reads a value; throws an `UndeliveredError` unless the answer keeps its contract. */
  unwrap(): Value
}

/** A kept contract without a value: the turn only calls tools, or no validator reads one. */
export interface ValuelessReport extends CheckedBase {
  readonly status: 'valid'
  readonly ok: true
  readonly value?: undefined
  unwrap(): string
}

/** An answer that breaks the contract, or could not be checked in full. */
export interface OpenReport<Value> extends CheckedBase {
  readonly status: 'unresolved' | 'unchecked'
  readonly ok: false
  /** Only of an answer without errors. */
  readonly value?: Value
  unwrap(): never
}

/** What `check` finds, discriminated by `status` as in an `Outcome`. */
export type CheckedReport<Value = unknown> =
  | AnsweredReport<Exclude<Value, undefined>>
  | (undefined extends Value ? ValuelessReport : never)
  | OpenReport<Exclude<Value, undefined>>
