interface Replacement {
  /** The position in the provider's text. */
  readonly start: number
  readonly end: number
  readonly text: string
  isShown: boolean
}

/** The text of one choice, shown with edits. */
export class EditedLane {
  readonly #replacements: Replacement[] = []
  /** The first replacement that has not been shown as a whole; nothing is shifted, because there may be very many. */
  #next = 0
  /** How much of the provider's text has been shown or removed. */
  #taken: number

  constructor(shown: number) {
    this.#taken = shown
  }

  /**
   * Notes a text that replaces so many characters; `waiting` characters before it have not been
   * shown yet.
   */
  add(waiting: number, length: number, text: string): void {
    const start = this.#taken + waiting
    this.#replacements.push({ start, end: start + length, text, isShown: false })
  }

  /** Takes the next piece of the provider's text and returns what is shown of it. */
  take(piece: string): string {
    const from = this.#taken
    const end = from + piece.length
    let shown = ''
    let at = from
    for (let next = this.#replacements[this.#next]; next !== undefined && next.start < end; next = this.#replacements[this.#next]) {
      if (next.start > at) shown += piece.slice(at - from, next.start - from)
      if (!next.isShown) shown += next.text
      next.isShown = true
      at = Math.max(at, Math.min(next.end, end))
      if (next.end > end) break
      this.#next++
    }
    this.#taken = end
    return shown + piece.slice(at - from)
  }
}
