import type { PartialValue } from './partial-value.ts'

/** The newest value of a run: a slow reader misses intermediate values, but never the last one. */
export class PartialChannel {
  /** Grows with every change. */
  version = 0
  #take: () => PartialValue | undefined = () => undefined
  #waiting: (() => void)[] = []

  /** The newest value, made when it is asked for. */
  get latest(): PartialValue | undefined {
    return this.#take()
  }

  /** Notes that there is a newer value. */
  set(take: () => PartialValue | undefined): void {
    this.version++
    this.#take = take
    this.wake()
  }

  /** Ends the wait of all readers. */
  wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }

  /** Waits for a newer value, or the end. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }
}
