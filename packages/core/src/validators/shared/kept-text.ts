import type { TextSpan } from '../../answer/span.ts'

/** The end of a stream's text, from where it may still be requested. */
export class KeptText {
  #pieces: string[] = []
  /** The first piece that is still kept, and its offset. */
  #first = 0
  #start: number

  constructor(start = 0) {
    this.#start = start
  }

  /** Adds a piece. */
  push(piece: string): void {
    this.#pieces.push(piece)
  }

  /** Forgets the text before an offset. */
  dropTo(offset: number): void {
    for (let piece = this.#pieces[this.#first]; piece !== undefined && this.#start < offset; piece = this.#pieces[this.#first]) {
      const dropped = Math.min(piece.length, offset - this.#start)
      this.#start += dropped
      if (dropped === piece.length) this.#first++
      else this.#pieces[this.#first] = piece.slice(dropped)
    }
    if (this.#first < 64 || this.#first * 2 < this.#pieces.length) return
    this.#pieces = this.#pieces.slice(this.#first)
    this.#first = 0
  }

  /** The text at a span that is kept. */
  slice({ start, end }: TextSpan): string {
    if (this.#pieces.length - this.#first > 1) {
      this.#pieces = [this.#pieces.slice(this.#first).join('')]
      this.#first = 0
    }
    return (this.#pieces[this.#first] ?? '').slice(Math.max(0, start - this.#start), Math.max(0, end - this.#start))
  }
}
