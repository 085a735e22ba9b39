import { readListMarker, ThematicBreaks, visibleFrom } from '../../answer/markdown/line-marks.ts'

const star = 42

/** Counts what a line of Markdown holds, line by line, outside of code. */
export class LineElements {
  bullets = 0
  highlights = 0
  tables = 0
  readonly #breaks = new ThematicBreaks()
  /** Whether the line before may be the head of a table. */
  #mayBeHead = false
  #inTable = false

  /** Takes the next line that is not code. */
  take(line: string): void {
    const start = visibleFrom(line, 0)
    this.#breaks.open(line)
    const isBreak = this.#breaks.at(start)
    const marker = isBreak ? undefined : readListMarker(line, start)
    const isBullet = marker !== undefined && !marker.ordered && visibleFrom(line, start + 1) < line.length
    if (isBullet) this.bullets++
    if (!isBreak) this.highlights += countHighlights(line, isBullet ? start + 1 : start)
    this.#takeRow(line)
  }

  /** Takes a line of code, or one that is not Markdown. */
  skip(): void {
    this.#mayBeHead = false
    this.#inTable = false
  }

  #takeRow(line: string): void {
    const hasBar = line.includes('|')
    if (hasBar && !this.#inTable && this.#mayBeHead && isDelimiterRow(line)) {
      this.tables++
      this.#inTable = true
    }
    if (!hasBar) this.#inTable = false
    this.#mayBeHead = hasBar
  }
}

/** The number of passages between equal runs of stars that neither start nor end with white space. */
function countHighlights(line: string, from: number): number {
  const text = line.includes('`') ? line.replace(/`[^`]*`/g, (code) => ' '.repeat(code.length)) : line
  let count = 0
  let open: { readonly length: number; readonly opens: boolean } | undefined
  for (let at = text.indexOf('*', from); at >= 0; at = text.indexOf('*', at)) {
    const start = at
    while (text.charCodeAt(at) === star) at++
    const length = at - start
    if (open?.opens && open.length === length && !isBlankAt(text, start - 1)) {
      count++
      open = undefined
    } else open = { length, opens: at < text.length && !isBlankAt(text, at) }
  }
  return count
}

function isBlankAt(text: string, at: number): boolean {
  return text.charAt(at).trim() === ''
}

/** Whether a line is made of dashes, colons and bars: the line under the head of a table. */
function isDelimiterRow(line: string): boolean {
  return line.includes('-') && /^[-:| \t]+$/.test(line)
}
