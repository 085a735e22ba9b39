import type { Issue } from '../../contract/issue.ts'
import type { Status, Unchecked } from '../check/report.ts'
import type { Failure } from '../outcome.ts'

/** What is known of an answer that does not keep its contract. */
export interface Undelivered {
  readonly status: Status
  readonly issues: readonly Issue[]
  readonly unchecked: readonly Unchecked[]
  readonly failure?: Failure
}

/** What `unwrap` throws, and a body ends with, in place of an answer that does not keep its contract. */
export class UndeliveredError extends Error {
  override readonly name = 'UndeliveredError'
  readonly status: Status
  readonly issues: readonly Issue[]
  /** The checks that have no verdict, and why. */
  readonly unchecked: readonly Unchecked[]
  /** Why there is no answer, when the run has failed. */
  readonly failure?: Failure

  constructor(result: Undelivered) {
    const { status, issues, unchecked, failure } = result
    super(status === 'failed' ? `there is no answer: ${failure?.message}` : `the answer is ${status}: ${causesOf(result).join(', ')}`)
    this.status = status
    this.issues = issues
    this.unchecked = unchecked
    if (failure !== undefined) this.failure = failure
  }
}

function causesOf({ status, issues, unchecked }: Undelivered): readonly string[] {
  if (status === 'unchecked')
    return unchecked.map(({ validator, cause, message }) => (cause === 'unavailable' ? `${validator}: ${message}` : validator))
  return [...new Set(issues.flatMap(({ severity, code }) => (severity === 'error' ? [code] : [])))]
}
