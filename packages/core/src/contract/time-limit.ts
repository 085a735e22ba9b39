/** Why a check ends that takes longer than its contract allows: a service that it waits for may be to blame. */
export class TimeLimit extends Error {
  /** How long it was allowed to take. */
  readonly ms: number

  constructor(ms: number) {
    super(`took longer than ${ms} ms`)
    this.ms = ms
  }
}
