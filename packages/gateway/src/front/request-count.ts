/**
 * The outcome of a request for the client: an answer, none that meets its contract, or an error.
 */
export type RequestOutcome = 'ok' | 'invalid' | 'error'

/** One request that has been answered, or abandoned by its client. */
export interface RequestCount {
  readonly api: string
  /** The HTTP status; 499 when the client left. */
  readonly status: number
  readonly contract?: string
  /** By the status when absent, and then never `invalid`: what checking gave is not known from a status. */
  readonly outcome?: RequestOutcome
}
