/** Counts the requests that use a snapshot. */
export class SnapshotUse {
  #count = 0
  #idle: (() => void) | undefined

  /** Notes a request that uses it; the function returned is called when the request is over. */
  readonly begin = (): (() => void) => {
    let isOver = false
    this.#count++
    return () => {
      if (isOver) return
      isOver = true
      if (--this.#count === 0) this.#idle?.()
    }
  }

  /** Calls back when no request uses it, at once where none does; no request begins to use it after that. */
  whenIdle(idle: () => void): void {
    this.#idle = idle
    if (this.#count === 0) idle()
  }
}
