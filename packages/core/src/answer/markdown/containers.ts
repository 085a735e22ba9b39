import type { LineCursor } from './line-cursor.ts'

interface Container {
  readonly kind: 'quote' | 'item'
  /** Columns that continue a list item. */
  readonly indent: number
  /** A list item that starts blank ends at the next blank line. */
  empty: boolean
}

/** The block quotes and list items that are open, outermost first. */
export class Containers {
  readonly #open: Container[] = []
  /** Where in the stack the quotes are: a blank line jumps to the next one, so that depth costs nothing. */
  readonly #quotes: number[] = []

  /** How many are open. */
  get depth(): number {
    return this.#open.length
  }

  /** Consumes the prefixes of a line that continue open containers, and returns how many continue. */
  match(cursor: LineCursor): number {
    let quotes = 0
    for (let depth = 0; depth < this.#open.length; depth++) {
      if (cursor.blank) return this.#matchBlank(quotes, depth, cursor)
      const container = this.#open[depth] as Container
      if (container.kind === 'quote') {
        if (!skipQuoteMark(cursor)) return depth
        quotes++
      } else if (cursor.indent >= container.indent) cursor.skipColumns(container.indent)
      else return depth
    }
    return this.#open.length
  }

  /** Opens a block quote. */
  openQuote(): void {
    this.fill()
    this.#quotes.push(this.#open.length)
    this.#open.push({ kind: 'quote', indent: 0, empty: false })
  }

  /** Opens a list item. */
  openItem(indent: number): void {
    this.fill()
    this.#open.push({ kind: 'item', indent, empty: true })
  }

  /** Notes that the innermost container has content. */
  fill(): void {
    const innermost = this.#open.at(-1)
    if (innermost) innermost.empty = false
  }

  /** Closes all but the outermost `depth`. */
  closeTo(depth: number): void {
    // To set the length of an array is slow, and on most lines nothing closes.
    if (this.#open.length === depth) return
    this.#open.length = depth
    while ((this.#quotes.at(-1) ?? -1) >= depth) this.#quotes.pop()
  }

  #matchBlank(quotesMatched: number, depth: number, cursor: LineCursor): number {
    if (this.#open[depth]?.kind === 'item') cursor.skipWhite()
    const nextQuote = this.#quotes[quotesMatched]
    if (nextQuote !== undefined) return nextQuote
    return this.#open.at(-1)?.empty ? this.#open.length - 1 : this.#open.length
  }
}

/** Consumes `>` and the space after it. */
export function skipQuoteMark(cursor: LineCursor): boolean {
  if (cursor.indent > 3 || cursor.text.charCodeAt(cursor.visible) !== 62) return false
  cursor.skipVisible(1)
  cursor.skipColumns(1)
  return true
}
