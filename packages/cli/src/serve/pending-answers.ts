import type { Clock } from '@stickler/core'

/** Requests to other processes that await replies. */
export class PendingAnswers<Answer> {
  readonly #clock: Clock
  readonly #limitMs: number
  readonly #waiting = new Map<number, (answer: Answer | undefined) => void>()
  #last = 0

  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock
    this.#limitMs = limitMs
  }

  /** Sends a request with a new number; resolves to undefined without a reply in time. */
  ask(send: (id: number) => void): Promise<Answer | undefined> {
    this.#last++
    const id = this.#last
    return new Promise((resolve) => {
      const cancel = this.#clock.after(this.#limitMs, () => this.settle(id, undefined))
      this.#waiting.set(id, (answer) => {
        cancel()
        resolve(answer)
      })
      send(id)
    })
  }

  /** Accepts a reply; late and duplicate ones are ignored. */
  settle(id: number, answer: Answer | undefined): void {
    const resolve = this.#waiting.get(id)
    this.#waiting.delete(id)
    resolve?.(answer)
  }
}
