/** The text of a stream in the pieces it came in, and how far it has been released: releasing costs what is released. */
export class HeldText {
  readonly #pieces: string[] = []
  /** The first piece that is not released in full, and what has been released of it. */
  #first = 0
  #taken = 0

  /** How far the text has been released. */
  released = 0
  length = 0

  /** All text so far. */
  get text(): string {
    return this.#pieces.join('')
  }

  /** Adds a piece. */
  push(piece: string): void {
    this.length += piece.length
    this.#pieces.push(piece)
  }

  /** Takes the text up to an offset. */
  releaseTo(offset: number): string {
    let released = ''
    while (this.released < offset && this.#first < this.#pieces.length) {
      const piece = this.#pieces[this.#first] as string
      const end = Math.min(piece.length, this.#taken + offset - this.released)
      const whole = this.#taken === 0 && end === piece.length
      const taken = whole ? piece : piece.slice(this.#taken, end)
      released = released === '' ? taken : released + taken
      this.released += taken.length
      this.#taken = end
      if (end === piece.length) {
        this.#first++
        this.#taken = 0
      }
    }
    return released
  }
}
