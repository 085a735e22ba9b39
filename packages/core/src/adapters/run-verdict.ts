import type { Certificate } from '../contract/certificate.ts'
import type { Issue } from '../contract/issue.ts'
import type { Status } from '../engine/check/report.ts'
import type { Outcome } from '../engine/outcome.ts'
import { certificateData } from '../engine/repair/settled.ts'
import { UndeliveredError } from '../engine/results/undelivered-error.ts'
import { RunnerFailure } from '../engine/runner-failure.ts'

/** What the metadata of a framework's result says of a run, in the field `stickler`. */
export interface SticklerMetadata {
  readonly status: Status
  /** Calls of the model. */
  readonly attempts: number
  readonly repairs: readonly Certificate[]
  /** What remains: warnings, and errors of an answer that is delivered nevertheless. */
  readonly issues: readonly Issue[]
  /** The checks without a verdict; absent when every one has one. */
  readonly unchecked?: readonly string[]
  /** The verdict in the words of the preset, where it has such words. */
  readonly validationStatus?: string
  /** Set when the text is the contract's fallback. */
  readonly fallback?: true
}

/** What a run has come to, as data. */
export function runVerdict({ status, attempts, repairs, issues, unchecked, validationStatus, fallback }: Outcome): SticklerMetadata {
  return {
    status,
    attempts,
    repairs: repairs.map(certificateData) as unknown as readonly Certificate[],
    issues,
    ...(unchecked.length > 0 && { unchecked: unchecked.map(({ validator }) => validator) }),
    ...(validationStatus !== undefined && { validationStatus }),
    ...(fallback && { fallback }),
  }
}

/** What is thrown for an answer that is not delivered: what the provider or the abort has thrown, as it is, else our own error. */
export function undeliveredBy(outcome: Outcome, thrown: unknown, signal: AbortSignal | undefined): unknown {
  if (outcome.status === 'failed') {
    if (signal?.aborted) return signal.reason
    // Frameworks repeat calls by the class of the error.
    if (thrown !== undefined && !(thrown instanceof RunnerFailure)) return thrown
  }
  return new UndeliveredError(outcome)
}
