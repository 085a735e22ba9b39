import { type WaitLimit, waitAtMost } from '@stickler/core/internal'

/** A caller that waits for a reply. */
export interface Waiting<Reply> {
  readonly resolve: (reply: Reply) => void
  readonly reject: (failure: Error) => void
}

/** Questions that are sent with a number, and wait for the reply with the same one. */
export class PendingReplies<Reply> {
  readonly #waiting = new Map<number, Waiting<Reply>>()
  #last = 0

  /** Sends a question, and waits for its reply unless the signal aborts, for what `gaveUp` makes. */
  async ask(send: (id: number) => void, signal: AbortSignal | undefined, gaveUp: () => Error): Promise<Reply> {
    if (signal?.aborted) throw gaveUp()
    const id = ++this.#last
    const leave = (): void => this.#waiting.get(id)?.reject(gaveUp())
    try {
      return await new Promise<Reply>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject })
        signal?.addEventListener('abort', leave)
        send(id)
      })
    } finally {
      this.#waiting.delete(id)
      signal?.removeEventListener('abort', leave)
    }
  }

  /** Sends a question, and waits for its reply; undefined without one in time. */
  askWithin(limit: WaitLimit, send: (id: number) => void): Promise<Reply | undefined> {
    const over = new AbortController()
    const reply = this.ask(send, over.signal, () => new Error('no reply in time'))
    return waitAtMost(reply, limit, () => {
      over.abort()
      return undefined
    })
  }

  /** The callers that wait for replies; a late reply has no caller. */
  get(id: number): Waiting<Reply> | undefined {
    return this.#waiting.get(id)
  }
}
