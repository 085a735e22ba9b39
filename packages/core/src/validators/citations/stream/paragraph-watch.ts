import type { AnswerReader } from '../../../answer/reader.ts'
import type { TextSpan } from '../../../answer/span.ts'
import type { KeptText } from '../../shared/kept-text.ts'
import { isProse } from '../paragraphs.ts'
import type { LineWatch } from './line-watch.ts'
import { endOfClosed } from './place-judge.ts'

/** Judges the paragraphs of a stream as they end. */
export class ParagraphWatch {
  readonly #kept: KeptText
  #judged = 0
  /** The citations that have not been counted for a paragraph. */
  #cited: number[] = []
  /** Start of the line that was cited in last. */
  #citedLine = -1
  #gap = { start: -1, end: -1, isBreak: false }

  constructor(kept: KeptText) {
    this.#kept = kept
  }

  /** The next paragraph or heading that has ended; undefined when there is none. */
  next({ inlines }: AnswerReader): TextSpan | undefined {
    return inlines[this.#judged]
  }

  /** Notes a citation that supports the text before it. */
  cite(offset: number, lineStart: number): void {
    this.#cited.push(offset)
    this.#citedLine = lineStart
  }

  /** Judges the next paragraph, and goes on to the one after it when it has what it needs. */
  isUncited(paragraph: TextSpan, reader: AnswerReader): boolean {
    const isCited = this.#cited.some((offset) => offset >= paragraph.start && offset < paragraph.end)
    if (!isCited && isProse(this.#kept.slice(paragraph), paragraph, reader)) return true
    this.#cited = this.#cited.filter((offset) => offset >= paragraph.end)
    this.#judged++
    return false
  }

  /** How far the text is outside of paragraphs that still need a citation. */
  hold(reader: AnswerReader, watch: LineWatch, length: number): number {
    const inlines = reader.inlines[this.#judged]
    if (inlines) return inlines.start
    if (reader.marginFence) return length
    const judged = Math.max(reader.bodyStart, endOfClosed(reader, watch.blankEnd))
    return judged >= length || (this.#citedLine === watch.lineStart && this.#isFirstLine(judged, watch.lineStart)) ? length : judged
  }

  /** Whether nothing but a line break is between the end of a block and a line; asked once, since to look costs. */
  #isFirstLine(judged: number, lineStart: number): boolean {
    if (judged < lineStart - 2) return false
    if (this.#gap.start !== judged || this.#gap.end !== lineStart) {
      const span = { start: judged, end: lineStart }
      this.#gap = { ...span, isBreak: /^[\r\n]*$/.test(this.#kept.slice(span)) }
    }
    return this.#gap.isBreak
  }
}
