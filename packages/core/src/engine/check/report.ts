import type { Certificate } from '../../contract/certificate.ts'
import type { Fact, Issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { CircuitState, FaultKind, NoVerdict } from '../../contract/validator-unavailable.ts'

/** A validator that could not run: neither a good nor a bad verdict. */
export interface Unchecked {
  readonly validator: string
  readonly cause: 'timeout' | 'crash' | 'unavailable' | 'aborted'
  readonly message: string
  /** Why what the check needs is not there, where that is known. */
  readonly reason?: NoVerdict
  /** What went wrong with what the check asked, where the reason is `fault` and that is known. */
  readonly fault?: FaultKind
  /** Set when a call through a circuit breaker was skipped or failed: the state of the circuit at the call. */
  readonly circuit?: CircuitState
  /** Set when the check only warns: the answer counts as checked without it. */
  readonly severity?: 'warning'
}

/** That an answer goes beyond a limit of a validator: why, by language. */
export interface Complexity {
  readonly tooComplex: Readonly<Record<Locale, string>>
}

/** What a validator yielded, that the answer is too complex for it, or why it could not run. */
export type Collected<Item> = readonly Item[] | Complexity | Unverified

/** Why a validator could not run, and what it still learnt. */
export interface Unverified extends Unchecked {
  readonly facts?: readonly Fact[]
}

/** What all validators of a contract say of one answer. */
export interface Report {
  readonly issues: readonly Issue[]
  readonly unchecked: readonly Unchecked[]
  /** What validators learnt, by validator. */
  readonly facts: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Whether a validator with errors knows a repair; without any error, one with warnings. */
  readonly repairable: boolean
  /** Names of the checks that do not apply to the request, by their `when`; absent when all do. */
  readonly skipped?: readonly string[]
}

/** The facts with the value that a validator read from an answer without errors. */
export function valueFacts(report: Report): Readonly<Record<string, unknown>> | undefined {
  if (hasErrors(report)) return undefined
  for (const name of Object.keys(report.facts)) {
    const facts = report.facts[name]
    if (facts && Object.hasOwn(facts, 'value')) return facts
  }
  return undefined
}

/** The issues that make an answer invalid. */
export function errorsOf(report: Pick<Report, 'issues'>): readonly Issue[] {
  return report.issues.filter(({ severity }) => severity === 'error')
}

/** Whether an answer is invalid. */
export function hasErrors({ issues }: Pick<Report, 'issues'>): boolean {
  for (const { severity } of issues) if (severity === 'error') return true
  return false
}

/** Whether a check that counts could not run. */
export function isUnchecked({ unchecked }: Pick<Report, 'unchecked'>): boolean {
  return unchecked.length > 0 && unchecked.some(({ severity }) => severity !== 'warning')
}

/** The identity of an issue, regardless of its position in the text. */
export function issueKey({ validator, code, message, path }: Issue): string {
  return JSON.stringify([validator, code, message, path])
}

/** How a run ended. */
export type Status = 'valid' | 'repaired' | 'unresolved' | 'unchecked' | 'failed'

/** The status of an answer by the report on it, as it would be delivered, and the repairs that it took. */
export function statusOf(report: Pick<Report, 'issues' | 'unchecked'>, repairs: readonly Certificate[]): Exclude<Status, 'failed'> {
  if (hasErrors(report)) return 'unresolved'
  if (isUnchecked(report)) return 'unchecked'
  return repairs.length > 0 ? 'repaired' : 'valid'
}
