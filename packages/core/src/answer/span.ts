/** A half-open range of UTF-16 offsets in the text. */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

/** A place in a text, counted from 1; columns count UTF-16 units. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

/** The line and column of an offset. */
export function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset)
  const breaks = before.match(/\r\n|[\r\n]/g)?.length ?? 0
  const lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1
  return { line: breaks + 1, column: offset - lineStart + 1 }
}

/** Tells in which line of a text offsets are; those in text order are found in one pass. */
export class LineNumbers {
  #line = 1
  #at = 0

  /** The line of an offset, of a text that goes on like the last. */
  lineAt(text: string, offset: number): number {
    if (offset < this.#at) {
      this.#line = 1
      this.#at = 0
    }
    for (; this.#at < offset; this.#at++) {
      const code = text.charCodeAt(this.#at)
      // A break of two characters counts where it begins.
      if (code === 13 || (code === 10 && text.charCodeAt(this.#at - 1) !== 13)) this.#line++
    }
    return this.#line
  }
}

/** Whether one of the spans, in text order, contains the offset. */
export function spanHolds(blocks: readonly { readonly span: TextSpan }[], offset: number): boolean {
  let low = 0
  let high = blocks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((blocks[middle]?.span.start ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  const before = blocks[low - 1]
  return before !== undefined && offset < before.span.end
}

/** What a pattern with the flag `y` finds at an offset. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Where a match of such a pattern ends that begins at an offset; undefined without one. */
export function endOfMatch(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}
