/** What one API key may use; unlimited where not set. */
export interface KeyLimits {
  readonly requestsPerMinute?: number
  /** Requests in progress at a time. */
  readonly concurrency?: number
  /** Prompt and completion together, per UTC day. */
  readonly tokensPerDay?: number
  /** Dollars per UTC day. */
  readonly usdPerDay?: number
  /** Assumed maximum tokens of an answer without its own limit. */
  readonly completionTokens?: number
}
