/** Where a service is, and how it is spoken to. */
export interface RuleTarget {
  readonly url: string
  /** With secrets among them. */
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Most bytes of a reply. */
  readonly maxBytes: number
}

/** A reply with a status that means success. */
export interface RuleReply {
  readonly status: number
  readonly contentType: string
  readonly body: Uint8Array
}

/** The way to one service. */
export interface RuleConnection {
  /** Sends JSON and reads the reply; throws a RunnerFailure for a redirect, an error status, and when there is no reply. */
  post(body: string, signal: AbortSignal): Promise<RuleReply>
  /** Resolves when the service answers anything at all; nothing of an answer is sent. */
  probe(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}
