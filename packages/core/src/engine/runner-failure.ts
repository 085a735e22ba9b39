import { errorMessage } from '../answer/thrown.ts'
import { type Reason, ReasonedError } from '../contract/reason.ts'

/** Why there is no answer. */
export type FailureKind =
  | 'aborted' // the caller gave up
  | 'deadline' // the budget's deadline passed
  | 'timeout' // a time limit of the runner passed
  | 'connection' // unreachable, or the connection broke
  | 'http' // the provider answered with an error status
  | 'protocol' // the provider's answer makes no sense
  | 'exit' // a process ended with an error
  | 'empty' // neither text nor tool call
  | 'crash' // the runner threw something else

/** What is known of a failure besides its kind. */
export interface FailureDetails {
  /** HTTP status, when there was one. */
  readonly status?: number
  /** What the network says, such as `ECONNREFUSED`; or why nothing was sent, `circuit_open`, `busy` or `not_started`. */
  readonly code?: string
  /** Set when a connection broke after its answer had begun. */
  readonly isMidway?: true
  /** What the provider said, up to a limit. */
  readonly body?: string
  /** How long the provider asked to wait. */
  readonly retryAfterMs?: number
  /** Headers of the provider's answer that its callers may see, such as its request id and its rate limits. */
  readonly headers?: Readonly<Record<string, string>>
  readonly exitCode?: number
  /** What a process wrote to its error stream, up to a limit. */
  readonly stderr?: string
  readonly cause?: unknown
}

/** The code of the failure of a program that could not be started. */
export const notStarted = 'not_started'

/** Thrown by a runner that has no answer: never a verdict on one. */
export class RunnerFailure extends ReasonedError {
  override readonly name = 'RunnerFailure'
  readonly kind: FailureKind
  readonly details: FailureDetails

  constructor(kind: FailureKind, reason: string | Reason, details: FailureDetails = {}) {
    super(reason, details.cause === undefined ? undefined : { cause: details.cause })
    this.kind = kind
    this.details = details
  }
}

/** Gives any thrown thing the shape of a runner's failure. */
export function asRunnerFailure(thrown: unknown): RunnerFailure {
  if (thrown instanceof RunnerFailure) return thrown
  return new RunnerFailure('crash', `the runner threw: ${errorMessage(thrown)}`, { cause: thrown })
}
