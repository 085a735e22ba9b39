/** How much a request may hold. */
export interface RequestLimits {
  /** Messages of a conversation, or items of an input. */
  readonly messages: number
  /** Parts of one message. */
  readonly parts: number
  readonly tools: number
  /** Choices that may be asked for at once. */
  readonly choices: number
}

/** The limits that hold where none are set. */
export const defaultLimits: RequestLimits = { messages: 2000, parts: 1000, tools: 512, choices: 8 }
