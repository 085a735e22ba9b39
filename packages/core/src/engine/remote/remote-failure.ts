import type { Unchecked } from '../check/report.ts'

/** Why a job has no result: never a verdict on the answer. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure'
  readonly reason: Unchecked['cause']

  constructor(reason: Unchecked['cause'], message: string) {
    super(message)
    this.reason = reason
  }
}
