import type { TextSpan } from '../../answer/span.ts'

/** The end of a stream's text that a check holds: what came after the offset up to which it is safe. */
export class HeldText {
  /** How much text has come. */
  length = 0
  safe = 0
  #text = ''

  /** Adds a piece that is not released at once. */
  keep(piece: string): void {
    this.#text += piece
  }

  /** Releases the text up to an offset, unless more is released already. */
  release(clear: number): { readonly safe: number } {
    if (clear > this.safe) {
      this.#text = clear === this.length ? '' : this.#text.slice(clear - this.safe)
      this.safe = clear
    }
    return { safe: this.safe }
  }

  /** The text at a span that is held. */
  slice({ start, end }: TextSpan): string {
    return this.#text.slice(start - this.safe, end - this.safe)
  }

  /** Where the line starts that an offset is in, as far as it is held. */
  lineStart(offset: number): number {
    let start = offset - this.safe
    while (start > 0 && !'\n\r'.includes(this.#text.charAt(start - 1))) start--
    return this.safe + Math.max(0, start)
  }
}
