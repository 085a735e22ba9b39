import { findInlineCode } from '../../answer/inline/inline-code.ts'
import type { AnswerOutline } from '../../answer/reader.ts'
import { spanHolds, type TextSpan } from '../../answer/span.ts'

/** The end of a stream's text, from where it may still be requested. */
export class KeptText {
  #pieces: string[] = []
  /** The first piece that is still kept, and its offset. */
  #first = 0
  #start: number

  constructor(start = 0) {
    this.#start = start
  }

  /** Adds a piece. */
  push(piece: string): void {
    this.#pieces.push(piece)
  }

  /** Forgets the text before an offset. */
  dropTo(offset: number): void {
    for (let piece = this.#pieces[this.#first]; piece !== undefined && this.#start < offset; piece = this.#pieces[this.#first]) {
      const dropped = Math.min(piece.length, offset - this.#start)
      this.#start += dropped
      if (dropped === piece.length) this.#first++
      else this.#pieces[this.#first] = piece.slice(dropped)
    }
    if (this.#first < 64 || this.#first * 2 < this.#pieces.length) return
    this.#pieces = this.#pieces.slice(this.#first)
    this.#first = 0
  }

  /** The text at a span that is kept. */
  slice({ start, end }: TextSpan): string {
    if (this.#pieces.length - this.#first > 1) {
      this.#pieces = [this.#pieces.slice(this.#first).join('')]
      this.#first = 0
    }
    return (this.#pieces[this.#first] ?? '').slice(Math.max(0, start - this.#start), Math.max(0, end - this.#start))
  }
}

/** Decides for places in finished paragraphs of a stream whether they are inline code; asked in text order. */
export class InlineCodeWatch {
  readonly #kept: Pick<KeptText, 'slice'>
  #inline = 0
  #code: { readonly inline: number; readonly places: readonly { readonly span: TextSpan }[] } | undefined

  constructor(kept: Pick<KeptText, 'slice'>) {
    this.#kept = kept
  }

  /** Whether inline code holds an offset. */
  holds(offset: number, { inlines }: AnswerOutline): boolean {
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
