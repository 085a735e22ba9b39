/** How far a decision looks ahead and back: what is farther away does not count, however the text is chunked. */
export const reach = 256

/** What is at the end of a look ahead: text to come, text that is too far away, or nothing. */
export type Rim = 'open' | 'far' | 'end'

/** The part of a growing text that is not decided yet, with as much before it as decisions look back. */
export class TextWindow {
  text = ''
  /** Where the next character is read. */
  at = 0
  /** Whether the text has ended. */
  ended = false
  #base: number

  constructor(start = 0) {
    this.#base = start
  }

  /** Offset of the next character in the whole text. */
  get offset(): number {
    return this.#base + this.at
  }

  /** Offset of an index of the window in the whole text. */
  offsetOf(index: number): number {
    return this.#base + index
  }

  /** Takes more text, and drops what is no longer needed: all before the next character, except for a string that started at `keep`. */
  push(chunk: string, keep = Number.POSITIVE_INFINITY): void {
    const drop = Math.max(0, Math.min(this.at, Math.max(this.at - reach, keep - this.#base)))
    // Short pieces are copied, so that no growing rope is ever indexed.
    this.text = drop < this.text.length ? this.text.slice(drop) + chunk : chunk
    this.#base += drop
    this.at -= drop
  }

  /** The text from an index on, as far as decisions look. */
  ahead(from: number): string {
    return this.text.slice(from, from + reach)
  }

  /** What is at the end of the look ahead from an index. */
  rim(from: number): Rim {
    if (this.text.length - from > reach) return 'far'
    if (this.ended) return 'end'
    return this.text.length - from === reach ? 'far' : 'open'
  }

  /** The text before the next character, not farther back than an offset and than decisions look. */
  behind(limit: number): string {
    return this.text.slice(Math.max(0, this.at - reach, limit - this.#base), this.at)
  }
}
