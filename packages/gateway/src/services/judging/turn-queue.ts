import { FairQueue } from '@stickler/core/internal/services'

/**
 * Lets work pass one at a time, each in a separate turn of the event loop, so that other work is
 * not blocked by all of it; callers take turns.
 */
export class TurnQueue {
  readonly #waiting = new FairQueue<() => void>()

  /** Settles when it is the caller's turn. */
  readonly pass = (caller = ''): Promise<void> =>
    new Promise((resolve) => {
      this.#waiting.add(caller, resolve)
      if (this.#waiting.size === 1) setImmediate(this.#turn)
    })

  readonly #turn = (): void => {
    const next = this.#waiting.shift()
    if (this.#waiting.size > 0) setImmediate(this.#turn)
    next?.()
  }
}
