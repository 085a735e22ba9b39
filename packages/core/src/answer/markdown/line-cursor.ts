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
