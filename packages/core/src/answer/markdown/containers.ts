const tab = 9
const space = 32

/** A position in one line that knows columns: tabs stop at every fourth, and may be used up in part. */
export class LineCursor {
  text = ''
  pos = 0
  column = 0
  /** Offset and column of the next character that is not white space. */
  visible = 0
  #visibleColumn = 0
  #partialTab = false

  /** Starts a line. */
  open(text: string): void {
    this.text = text
    this.pos = 0
    this.column = 0
    this.#partialTab = false
    this.locate()
  }

  /** Columns of white space before the next visible character. */
  get indent(): number {
    return this.#visibleColumn - this.column
  }

  /** Whether only white space is left. */
  get blank(): boolean {
    return this.visible >= this.text.length
  }

  /** The text from the next visible character on. */
  get rest(): string {
    return this.text.slice(this.visible)
  }

  /** Looks for the next visible character; needed only after something visible was consumed. */
  locate(): void {
    let at = this.pos
    let column = this.column
    for (;;) {
      const code = this.text.charCodeAt(at)
      if (code === space) column++
      else if (code === tab) column += 4 - (column % 4)
      else break
      at++
    }
    this.visible = at
    this.#visibleColumn = column
  }

  /** Consumes up to `columns` of white space. */
  skipColumns(columns: number): void {
    let left = columns
    while (left > 0) {
      const code = this.text.charCodeAt(this.pos)
      if (code === tab) {
        const width = 4 - (this.column % 4)
        const used = Math.min(width, left)
        this.column += used
        left -= used
        this.#partialTab = used < width
        if (used === width) this.pos++
      } else if (code === space) {
        this.pos++
        this.column++
        left--
      } else return
    }
  }

  /** Consumes the white space before the next visible character. */
  skipWhite(): void {
    this.skipVisible(0)
  }

  /** Consumes the white space and `length` visible characters. */
  skipVisible(length: number): void {
    this.pos = this.visible + length
    this.column = this.#visibleColumn + length
    this.#partialTab = false
    this.locate()
  }

  /** The text from the position on, with a tab that was used up in part as spaces. */
  remainder(): string {
    return this.#partialTab ? ' '.repeat(4 - (this.column % 4)) + this.text.slice(this.pos + 1) : this.text.slice(this.pos)
  }
}

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
