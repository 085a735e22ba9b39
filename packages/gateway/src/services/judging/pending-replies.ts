interface Waiting<Result> {
  readonly resolve: (result: Result) => void
  readonly reject: (failure: Error) => void
}

/** Questions that are sent with a number, and wait for the reply with the same one. */
export class PendingReplies<Result> {
  readonly #waiting = new Map<number, Waiting<Result>>()
  #last = 0

  /** Sends a question, and waits for its reply unless the signal aborts, for what `gaveUp` makes. */
  async ask(send: (id: number) => void, signal: AbortSignal | undefined, gaveUp: () => Error): Promise<Result> {
    if (signal?.aborted) throw gaveUp()
    const id = ++this.#last
    const leave = (): void => this.#waiting.get(id)?.reject(gaveUp())
    try {
      return await new Promise<Result>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject })
        signal?.addEventListener('abort', leave)
        send(id)
      })
    } finally {
      this.#waiting.delete(id)
      signal?.removeEventListener('abort', leave)
    }
  }

  /** The callers that wait for replies; a late reply has no caller. */
  get(id: number): Waiting<Result> | undefined {
    return this.#waiting.get(id)
  }
}
