import type { Outcome } from '../outcome.ts'

/** What a body ends with when its run brought no answer that may be delivered. */
export class UndeliveredError extends Error {
  override readonly name = 'UndeliveredError'
  readonly outcome: Outcome

  constructor(outcome: Outcome) {
    super(`the answer was not delivered: the run is ${outcome.status}`)
    this.outcome = outcome
  }
}
