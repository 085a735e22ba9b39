import type { ToolCall } from '../answer/tool-calls.ts'
import type { Certificate } from '../contract/certificate.ts'
import type { Issue } from '../contract/issue.ts'
import type { Report, Unchecked } from './check/report.ts'
import type { DecisionReason } from './decide/decide.ts'
import type { Answered, OpenMembers, ResultOf, Unanswered, Valueless } from './results/result-methods.ts'
import type { Usage } from './runner.ts'
import type { FailureDetails, FailureKind, RunnerFailure } from './runner-failure.ts'

export type { Status } from './check/report.ts'
export type { Usage } from './runner.ts'

/** Why a call brought no answer, as data. */
export interface Failure extends Omit<FailureDetails, 'cause'> {
  readonly kind: FailureKind
  readonly message: string
}

/** What every run brings. */
export interface OutcomeBase {
  /** The final text; when it is not delivered, the answer that was withheld, and in a `failed` outcome what had been released. */
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  /** What remains: warnings, and errors when the status is `unresolved`. */
  readonly issues: readonly Issue[]
  /** What was wrong and has been repaired. */
  readonly fixed: readonly Issue[]
  readonly repairs: readonly Certificate[]
  /** Validators that could not run, with the cause. */
  readonly unchecked: readonly Unchecked[]
  /** What validators learnt, by validator. */
  readonly facts: Report['facts']
  /** Names of the checks that do not apply to the request, by their `when`; absent when all do. */
  readonly skipped?: readonly string[]
  /** The verdict in the words that the contract's preset declares; absent when it declares none. */
  readonly validationStatus?: string
  /** Set when `text` is the contract's fallback, which is delivered in place of an answer. */
  readonly fallback?: true
  /** Calls of the model. */
  readonly attempts: number
  /** Summed over all attempts. */
  readonly usage: Usage
  /** Why the loop stopped here. */
  readonly reason: DecisionReason | 'runner-failed'
  readonly session?: string
}

/** A run whose answer keeps the contract. */
export interface KeptOutcome extends OutcomeBase {
  readonly status: 'valid' | 'repaired'
  readonly delivered: true
  /** Why an earlier answer had to do: the call for a better one failed. */
  readonly failure?: Failure
}

/** A kept contract with the value that a validator such as `json` has read. */
export type AnsweredOutcome<Value> = KeptOutcome & Answered<Value>

/** A kept contract without a value: the turn only calls tools, or no validator reads one. */
export type ValuelessOutcome = KeptOutcome & Valueless

/** What a run without a kept contract has. */
export interface OpenOutcomeBase extends OutcomeBase {
  readonly status: 'unresolved' | 'unchecked'
  /** Whether the contract still delivers the answer. */
  readonly delivered: boolean
  readonly failure?: Failure
}

/** A run whose answer breaks the contract, or could not be checked in full. */
export type OpenOutcome<Value> = OpenOutcomeBase & Unanswered<Value>

/** A run that has no answer. */
export interface FailedOutcome extends OutcomeBase, OpenMembers {
  readonly status: 'failed'
  readonly delivered: false
  readonly value?: undefined
  readonly reason: 'runner-failed'
  readonly failure: Failure
}

/** The result of a run, discriminated by `status`. A type of value that includes `undefined` covers turns that only call tools. */
export type Outcome<Value = unknown> = ResultOf<KeptOutcome, OpenOutcomeBase, Value> | FailedOutcome

/** A failure as data, without its cause. */
export function describeFailure({ kind, message, details }: RunnerFailure): Failure {
  const { cause: _cause, ...known } = details
  return { kind, message, ...known }
}
