import type { TextPosition } from '@stickler/core/internal'

/** The line starts of a text, computed once, so that looking up many positions is cheap. */
export class LineIndex {
  readonly #text: string
  readonly #starts: number[] = [0]

  constructor(text: string) {
    this.#text = text
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) this.#starts.push(at + 1)
    }
  }

  /** The line and column of an offset, counted from 1. */
  positionAt(offset: number): TextPosition {
    let low = 0
    let high = this.#starts.length
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 }
  }

  /** Where a line (from 1) starts, and where it ends without its line break. */
  spanOf(line: number): { readonly start: number; readonly end: number } {
    const start = this.#starts[line - 1] ?? 0
    const next = this.#starts[line]
    if (next === undefined) return { start, end: this.#text.length }
    const breakLength = this.#text.charCodeAt(next - 1) === 10 && this.#text.charCodeAt(next - 2) === 13 && next - 2 >= start ? 2 : 1
    return { start, end: next - breakLength }
  }
}
