/** Text that waits to be released, in the pieces it came in: releasing costs what is released, not what is held. */
export class HeldText {
  readonly #pieces: string[] = []
  #first = 0
  #start = 0

  /** How far the text has been released. */
  get released(): number {
    return this.#start
  }

  /** Adds a piece. */
  push(piece: string): void {
    if (piece.length > 0) this.#pieces.push(piece)
  }

  /** Takes the text up to an offset. */
  releaseTo(offset: number): string {
    let released = ''
    while (this.#first < this.#pieces.length && this.#start < offset) {
      const piece = this.#pieces[this.#first] as string
      const taken = piece.slice(0, offset - this.#start)
      released += taken
      this.#start += taken.length
      if (taken.length === piece.length) this.#first++
      else this.#pieces[this.#first] = piece.slice(taken.length)
    }
    return released
  }
}
