import { type Certificate, type Issue, type Outcome, RunnerFailure, type Status, UndeliveredError } from '@stickler/core'
import { certificateData } from '@stickler/core/internal'

/** What `providerMetadata.stickler` says of a result. */
export interface SticklerMetadata {
  readonly status: Status
  /** Calls of the model. */
  readonly attempts: number
  readonly repairs: readonly Certificate[]
  /** What remains: warnings, and errors of an answer that is delivered nevertheless. */
  readonly issues: readonly Issue[]
  /** Set when the text is the contract's fallback. */
  readonly fallback?: true
}

/** Adds the verdict to the metadata that the provider has sent. */
export function withVerdict(given: unknown, { status, attempts, repairs, issues, fallback }: Outcome): object {
  const stickler = { status, attempts, repairs: repairs.map(certificateData), issues, ...(fallback && { fallback }) }
  return { ...(typeof given === 'object' ? given : {}), stickler }
}

/** What is thrown for an answer that is not delivered: what the provider or the abort has thrown, as it is, else our own error. */
export function errorOf(outcome: Outcome, thrown: unknown, signal: AbortSignal | undefined): unknown {
  if (outcome.status === 'failed') {
    if (signal?.aborted) return signal.reason
    // The SDK repeats calls by the class of the error.
    if (thrown !== undefined && !(thrown instanceof RunnerFailure)) return thrown
  }
  return new UndeliveredError(outcome)
}
