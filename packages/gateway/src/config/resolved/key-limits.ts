/** What one API key may use; nothing is limited where nothing is said. */
export interface KeyLimits {
  readonly requestsPerMinute?: number
  /** Prompt and completion together, per UTC day. */
  readonly tokensPerDay?: number
  /** Dollars per UTC day. */
  readonly usdPerDay?: number
  /** Tokens that an answer without a limit of its own is taken to have at most. */
  readonly completionTokens?: number
}
