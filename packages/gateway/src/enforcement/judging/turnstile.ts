/**
 * Lets callers pass one at a time, each in a separate turn of the event loop, so that other work is
 * not blocked by all of them.
 */
export class Turnstile {
  readonly #waiting: (() => void)[] = []
  #first = 0

  /** Settles when it is the caller's turn. */
  readonly pass = (): Promise<void> =>
    new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length - this.#first === 1) setImmediate(this.#turn)
    })

  readonly #turn = (): void => {
    const next = this.#waiting[this.#first++]
    if (this.#first === this.#waiting.length) {
      this.#waiting.length = 0
      this.#first = 0
    } else setImmediate(this.#turn)
    next?.()
  }
}
