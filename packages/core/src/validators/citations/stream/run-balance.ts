/** Whether a run of backticks is open: one that a later run of its length would close, with all between as code. */
export class RunBalance {
  /** Lengths of the open runs, in text order. */
  readonly #open: number[] = []
  readonly #placeOf = new Map<number, number>()

  /** Whether what follows may be in code. */
  get open(): boolean {
    return this.#open.length > 0
  }

  /** Adds the next run; a backslash before it keeps its first backtick from opening, and nothing from closing. */
  add(length: number, escaped: boolean): void {
    const opener = this.#placeOf.get(length)
    if (opener === undefined) {
      const opens = escaped ? length - 1 : length
      if (opens === 0 || this.#placeOf.has(opens)) return
      this.#placeOf.set(opens, this.#open.length)
      this.#open.push(opens)
      return
    }
    // What was opened inside of this code is code itself.
    while (this.#open.length > opener) this.#placeOf.delete(this.#open.pop() ?? 0)
  }

  /** Forgets all runs. */
  clear(): void {
    if (this.#open.length === 0) return
    this.#open.length = 0
    this.#placeOf.clear()
  }
}
