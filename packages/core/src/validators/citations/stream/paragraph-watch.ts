import type { AnswerReader } from '../../../answer/reader.ts'
import type { KeptText } from '../../shared/kept-text.ts'
import type { Paragraph } from '../html-paragraphs.ts'
import { isProse, Paragraphs } from '../paragraphs.ts'
import type { LineWatch } from './line-watch.ts'
import { endOfClosed } from './place-judge.ts'

/** Judges the paragraphs of a stream as they end. */
export class ParagraphWatch {
  readonly #kept: KeptText
  readonly #paragraphs: Paragraphs
  /** The citations that have not been counted for a paragraph. */
  #cited: number[] = []
  /** Start of the line that was cited in last. */
  #citedLine = -1
  #gap = { start: -1, end: -1, isBreak: false }

  constructor(kept: KeptText) {
    this.#kept = kept
    this.#paragraphs = new Paragraphs((span) => kept.slice(span))
  }

  /** The next paragraph or heading that has ended; undefined when there is none. */
  next(reader: AnswerReader): Paragraph | undefined {
    return this.#paragraphs.first(reader)
  }

  /** Notes a citation that supports the text before it. */
  cite(offset: number, lineStart: number): void {
    this.#cited.push(offset)
    this.#citedLine = lineStart
  }

  /** Judges the next paragraph, and goes on to the one after it when it has what it needs. */
  isUncited(paragraph: Paragraph, reader: AnswerReader): boolean {
    const isCited = this.#cited.some((offset) => offset >= paragraph.start && offset < paragraph.end)
    if (!isCited && isProse(paragraph, reader)) return true
    this.#cited = this.#cited.filter((offset) => offset >= paragraph.end)
    this.#paragraphs.take()
    return false
  }

  /** How far the text is outside of paragraphs that still need a citation. */
  hold(reader: AnswerReader, watch: LineWatch, length: number): number {
    const paragraph = this.next(reader)
    if (paragraph) return paragraph.start
    if (reader.marginFence) return length
    const judged = Math.max(reader.bodyStart, endOfClosed(reader, watch.blankEnd))
    // A line of HTML may show several paragraphs.
    const isCited = this.#citedLine === watch.lineStart && !watch.hasHtml && this.#isFirstLine(judged, watch.lineStart)
    return judged >= length || isCited ? length : judged
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
