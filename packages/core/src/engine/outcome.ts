import type { ToolCall } from '../answer/tool-calls.ts'
import type { Certificate } from '../contract/certificate.ts'
import type { Issue } from '../contract/issue.ts'
import type { DecisionReason } from './decide.ts'
import type { Report, Unchecked } from './report.ts'
import type { Usage } from './runner.ts'
import type { FailureDetails, FailureKind } from './runner-failure.ts'
import type { Status } from './status.ts'

export type { Usage } from './runner.ts'
export type { Status } from './status.ts'

/** Why a call brought no answer, as data. */
export interface Failure extends Omit<FailureDetails, 'cause'> {
  readonly kind: FailureKind
  readonly message: string
}

/** What a run brought. */
export interface Outcome<Value = unknown> {
  readonly status: Status
  /** Whether the contract lets the answer out: not when it is rejected, withheld because it could not be checked, or missing. */
  readonly delivered: boolean
  /** The final text; when it is not delivered, the answer that was withheld, and in a `failed` outcome what had been released. */
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  /** The value that a delivered answer without errors holds, when a validator such as `json` reads one. */
  readonly value?: Value
  /** What remains: warnings, and errors when the status is `unresolved`. */
  readonly issues: readonly Issue[]
  /** What was wrong and has been repaired. */
  readonly fixed: readonly Issue[]
  readonly repairs: readonly Certificate[]
  /** Validators that could not run, with the cause. */
  readonly unchecked: readonly Unchecked[]
  /** What validators learnt, by validator. */
  readonly facts: Report['facts']
  /** Calls of the model. */
  readonly attempts: number
  /** Summed over all attempts. */
  readonly usage: Usage
  /** Why the loop stopped here. */
  readonly reason: DecisionReason | 'runner-failed'
  readonly session?: string
  /** Why there is no answer, or in a delivered outcome why an earlier one had to do. */
  readonly failure?: Failure
}
