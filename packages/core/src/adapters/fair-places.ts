/** The part of a limit by which callers with little may exceed it. */
const spare = 1 / 8

/**
 * Counts the places that callers have at a time. All of them are open to all, so that one caller
 * alone may have all of them; when they are taken, callers with less than their share still get a
 * few more.
 */
export class FairPlaces {
  readonly #held = new Map<string, number>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Number of places of a caller. */
  heldBy(caller: string): number {
    return this.#held.get(caller) ?? 0
  }

  /** Whether a caller may have another place. */
  hasRoom(caller: string, limit: number): boolean {
    if (this.#size < limit) return true
    if (this.#size >= limit + Math.ceil(limit * spare)) return false
    const held = this.heldBy(caller)
    const callers = this.#held.size + (held === 0 ? 1 : 0)
    return held < Math.max(1, Math.floor(limit / callers))
  }

  /** Takes a place. */
  enter(caller: string): void {
    this.#size++
    this.#held.set(caller, this.heldBy(caller) + 1)
  }

  /** Gives a place back. */
  leave(caller: string): void {
    this.#size--
    const left = this.heldBy(caller) - 1
    if (left > 0) this.#held.set(caller, left)
    else this.#held.delete(caller)
  }
}
