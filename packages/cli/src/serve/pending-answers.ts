import type { Clock } from '@stickler/core'

/** Questions to other processes that wait for their answers. */
export class PendingAnswers<Answer> {
  readonly #clock: Clock
  readonly #limitMs: number
  readonly #waiting = new Map<number, (answer: Answer | undefined) => void>()
  #last = 0

  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock
    this.#limitMs = limitMs
  }

  /** Asks under a number of its own; resolves to nothing when no answer comes in time. */
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

  /** Takes an answer; one that comes too late, or twice, changes nothing. */
  settle(id: number, answer: Answer | undefined): void {
    const resolve = this.#waiting.get(id)
    this.#waiting.delete(id)
    resolve?.(answer)
  }
}
