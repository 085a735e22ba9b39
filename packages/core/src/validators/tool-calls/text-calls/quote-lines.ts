import { LineSplitter } from '../../../answer/lines.ts'
import { isBlankPiece } from './prose.ts'

/** Whether a line has the mark of a block quote, perhaps in list items. */
export function startsQuote(text: string, lineStart: number): boolean {
  const sign = /[^ \t\d.)*+-]/g
  sign.lastIndex = lineStart
  return sign.exec(text)?.[0] === '>'
}

/** Decides line by line whether a block quote continues: over lines without its mark, until a blank one. */
export class QuoteLines {
  readonly #lines: LineSplitter
  readonly #take: (isQuoted: boolean, next: number) => void
  #inQuote = false

  constructor(start: number, take: (isQuoted: boolean, next: number) => void) {
    this.#lines = new LineSplitter((text, _start, next) => this.#takeLine(text, next), start)
    this.#take = take
  }

  /** Takes the next piece of text. */
  push(chunk: string): void {
    this.#lines.push(chunk)
  }

  #takeLine(text: string, next: number): void {
    this.#inQuote ||= startsQuote(text, 0)
    this.#take(this.#inQuote, next)
    if (isBlankPiece(text)) this.#inQuote = false
  }
}
