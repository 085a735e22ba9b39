/** The size limits of a request. */
export interface RequestLimits {
  /** Messages of a conversation, or items of an input. */
  readonly messages: number
  /** Parts of one message. */
  readonly parts: number
  readonly tools: number
  /** Maximum choices per request. */
  readonly choices: number
}

/** The default limits. */
export const defaultLimits: RequestLimits = { messages: 2000, parts: 1000, tools: 512, choices: 8 }
