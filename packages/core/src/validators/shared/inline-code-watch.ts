import { findInlineCode } from '../../answer/inline/inline-code.ts'
import type { AnswerReader } from '../../answer/reader.ts'
import { spanHolds, type TextSpan } from '../../answer/span.ts'
import type { KeptText } from './kept-text.ts'

/** Decides for places in finished paragraphs of a stream whether they are inline code; asked in text order. */
export class InlineCodeWatch {
  readonly #kept: KeptText
  #inline = 0
  #code: { readonly inline: number; readonly places: readonly { readonly span: TextSpan }[] } | undefined

  constructor(kept: KeptText) {
    this.#kept = kept
  }

  /** Whether inline code holds an offset. */
  holds(offset: number, { inlines }: AnswerReader): boolean {
    while ((inlines[this.#inline]?.end ?? Number.POSITIVE_INFINITY) <= offset) this.#inline++
    const inline = inlines[this.#inline]
    if (inline === undefined || inline.start > offset) return false
    if (this.#code?.inline !== this.#inline) {
      const places = findInlineCode(this.#kept.slice(inline), inline, inline.start).map((span) => ({ span }))
      this.#code = { inline: this.#inline, places }
    }
    return spanHolds(this.#code.places, offset)
  }
}
