import type { Certificate } from '../../contract/certificate.ts'
import type { ResultOf } from '../results/result-of.ts'
import type { Report } from './report.ts'

/** What every checked answer has; names that an `Outcome` has too mean the same. */
export interface CheckedBase extends Report {
  /** The answer's text, which a check does not change. */
  readonly text: string
  /** Empty: a check repairs nothing. */
  readonly repairs: readonly Certificate[]
}

/** An answer that keeps the contract. */
export interface KeptReport extends CheckedBase {
  readonly status: 'valid'
}

/** An answer that breaks the contract, or could not be checked in full. */
export interface OpenReport extends CheckedBase {
  readonly status: 'unresolved' | 'unchecked'
}

/** What `check` finds, discriminated by `status` as in an `Outcome`. */
export type CheckedReport<Value = unknown> = ResultOf<KeptReport, OpenReport, Value>
