/** How a request ended for the client: with an answer, without one that keeps its contract, or with an error. */
export type RequestOutcome = 'ok' | 'invalid' | 'error'

/** One request that has been answered, or left by its client. */
export interface RequestCount {
  readonly api: string
  /** The HTTP status; 499 when the client left. */
  readonly status: number
  readonly contract?: string
  /** By the status when absent; a stream may fail after its 200. */
  readonly outcome?: RequestOutcome
}
