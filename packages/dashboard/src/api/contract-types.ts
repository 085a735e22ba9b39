import type { Certificate, Issue, Unchecked } from './run-types.ts'

/** One check of a contract. */
export interface Rule {
  readonly name: string
  readonly summary: string
  readonly options?: unknown
  readonly codes?: Readonly<Record<string, { readonly severity?: string; readonly when?: string; readonly fix?: string }>>
  readonly repairs: boolean
  readonly incremental: boolean
  readonly severity?: string
  readonly when?: unknown
  readonly instruction?: string
}

/** A contract as the gateway runs it. */
export interface Contract {
  readonly name: string
  readonly validators: readonly Rule[]
  readonly policy: Readonly<Record<string, unknown>>
  readonly instructions?: string
  /** As it is written in the configuration. */
  readonly yaml?: string
}

/** Runs that operators labelled. */
export interface Labelled {
  readonly good: number
  readonly bad: number
}

/** What one rule caught. */
export interface RuleStats {
  readonly validator: string
  readonly code: string
  readonly runs: number
  readonly fixed?: number
  readonly remaining?: number
  readonly retries?: number
  /** Labelled runs in which it was broken. */
  readonly labelled?: Labelled
}

/** What one contract caught and repaired. */
export interface ContractStats {
  readonly contract: string
  readonly totals: { readonly runs: number }
  readonly labelled?: Labelled
  readonly rules: readonly RuleStats[]
  readonly repairs: readonly { readonly rule: string; readonly class: string; readonly count: number; readonly runs: number }[]
}

/** A fault in the YAML of a contract. */
export interface ContractError {
  readonly message: string
  readonly line?: number
  readonly column?: number
}

/** What a contract says of an answer that is tried. */
export interface TryReport {
  readonly status: string
  readonly issues: readonly Issue[]
  readonly fixed?: readonly Issue[]
  readonly repairs: readonly Certificate[]
  /** The text after repairs, where it differs. */
  readonly text?: string
  readonly unchecked?: readonly Unchecked[]
  readonly skipped?: readonly string[]
}

/** The reply to a try. */
export interface TryReply {
  readonly contractErrors?: readonly ContractError[]
  readonly report?: TryReport
}
