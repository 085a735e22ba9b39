import type { TextSpan } from '../../answer/span.ts'
import { signHash, type TokenKind, TokenSplitter } from '../shared/tokens.ts'
import { type LoopLimits, PeriodFinder } from './period-finder.ts'
import { SentenceFinder } from './sentence-finder.ts'

/** Text that is repeated in a row, or sentences that are repeated between others. */
export interface FoundLoop {
  readonly code: 'LOOP' | 'REPEATED_SENTENCES'
  /** What is repeated, from where on it is held. */
  readonly span: TextSpan
  readonly line: number
  /** Two turns of the loop, or a sentence, or the end of it; empty when it is white space. */
  readonly sample: TextSpan
  /** How long a turn is. */
  readonly turn: number
}

/** Samples are not longer, so that a stream need not keep more. */
export const longestSample = 400
/** So much white space is shown before the rest is held. */
const shownBlank = 100
/** White space is a loop when it is this much longer than text that is. */
const patience = 2

const sentenceEnds: ReadonlySet<number> = new Set(Array.from('.!?。！？…', signHash))
const [backtick, tilde, quoteMark, bar] = Array.from('`~>|', signHash)

/** Finds text that repeats itself, in one pass and with a memory of a fixed size, however the text is chunked. */
export class LoopFinder {
  found: FoundLoop | undefined
  readonly #longestBlank: number
  readonly #tokens = new TokenSplitter((hash, kind, start, end, exact) => {
    if (this.found === undefined) this.#take(hash, kind, start, end, exact)
  })
  readonly #periods: PeriodFinder
  readonly #sentences: SentenceFinder
  readonly #lines = new LineWatch()
  /** Where the last token ended that is not white space. */
  #end = 0
  #endLine = 1

  constructor(limits: LoopLimits) {
    this.#longestBlank = limits.characters * patience
    this.#periods = new PeriodFinder(limits)
    this.#sentences = new SentenceFinder(limits)
  }

  /** From where on the text may be part of a loop, or is a word that goes on: a retry would go on inside of it. */
  get heldFrom(): number {
    const blank = this.#tokens.at - this.#end > shownBlank ? this.#end + shownBlank : Number.POSITIVE_INFINITY
    return Math.min(blank, this.#tokens.open, this.#periods.heldFrom, this.#sentences.heldFrom)
  }

  /** Takes the next piece of text. */
  push(text: string): void {
    this.#tokens.push(text)
    if (this.found === undefined) this.#lookAtBlank(this.#tokens.open)
  }

  /** Ends the text; returns what was found. */
  end(): FoundLoop | undefined {
    this.#tokens.end()
    if (this.found === undefined && this.#sentences.close(this.#lines.number)) this.#findSentences()
    return this.found
  }

  #take(hash: number, kind: TokenKind, start: number, end: number, exact: number): void {
    if (kind === 'break') {
      if (!this.#lines.isCode && this.#sentences.close(this.#lines.number)) this.#findSentences()
      this.#lines.end()
      return
    }
    this.#lookAtBlank(start)
    if (this.found !== undefined) return
    this.#end = end
    const { number, isCode } = this.#lines
    this.#endLine = number
    this.#lines.take(hash)
    if (this.#periods.take(hash, kind, end, exact, isCode, number)) {
      const { heldFrom, line, turnLength } = this.#periods
      const sample = { start: end - Math.min(2 * turnLength, longestSample), end }
      this.found = { code: 'LOOP', span: { start: Math.min(heldFrom, start), end }, line, sample, turn: turnLength }
    } else if (isCode || this.#lines.isRow) this.#sentences.skip()
    else if (!sentenceEnds.has(hash)) this.#sentences.take(exact, kind, start, end)
    else if (this.#sentences.close(number)) this.#findSentences()
  }

  #findSentences(): void {
    const { heldFrom, line, start } = this.#sentences
    const end = this.#end
    this.found = {
      code: 'REPEATED_SENTENCES',
      span: { start: Math.min(heldFrom, start), end },
      line,
      sample: { start: Math.max(start, end - longestSample), end },
      turn: end - start,
    }
  }

  #lookAtBlank(to: number): void {
    const end = this.#end + this.#longestBlank
    if (to < end) return
    this.found = { code: 'LOOP', span: { start: this.#end + shownBlank, end }, line: this.#endLine, sample: { start: end, end }, turn: 0 }
  }
}

/** Counts lines, and sees from their first signs which are in a fenced code block or in a table. */
class LineWatch {
  number = 1
  isRow = false
  #fence = 0
  #fenceLength = 0
  #mark = 0
  #marks = 0
  /** What comes after the marks that a line starts with. */
  #others = 0

  get isCode(): boolean {
    return this.#fenceLength > 0
  }

  take(hash: number): void {
    if (this.#others === 0 && (hash === backtick || hash === tilde) && (this.#marks === 0 || hash === this.#mark)) {
      this.#mark = hash
      this.#marks++
    } else if (hash !== quoteMark || this.#marks > 0) {
      if (this.#others === 0 && this.#marks === 0 && hash === bar) this.isRow = true
      // A backtick in the information string makes it inline code.
      if (hash === backtick && this.#mark === backtick) this.#marks = 0
      this.#others++
    }
  }

  end(): void {
    this.number++
    if (this.#marks >= 3) {
      if (this.#fenceLength === 0) {
        this.#fence = this.#mark
        this.#fenceLength = this.#marks
      } else if (this.#mark === this.#fence && this.#marks >= this.#fenceLength && this.#others === 0) this.#fenceLength = 0
    }
    this.#marks = 0
    this.#mark = 0
    this.#others = 0
    this.isRow = false
  }
}
