import { findInlineCode } from '../../answer/inline/inline-code.ts'
import type { AnswerReader } from '../../answer/reader.ts'
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

/** The end of a stream's text that a check holds: what came after the offset up to which it is safe. */
export class HeldText {
  /** How much text has come. */
  length = 0
  safe = 0
  #text = ''

  /** Adds a piece that is not released at once. */
  keep(piece: string): void {
    this.#text += piece
  }

  /** Releases the text up to an offset, unless more is released already. */
  release(clear: number): { readonly safe: number } {
    if (clear > this.safe) {
      this.#text = clear === this.length ? '' : this.#text.slice(clear - this.safe)
      this.safe = clear
    }
    return { safe: this.safe }
  }

  /** The text at a span that is held. */
  slice({ start, end }: TextSpan): string {
    return this.#text.slice(start - this.safe, end - this.safe)
  }

  /** Where the line starts that an offset is in, as far as it is held. */
  lineStart(offset: number): number {
    let start = offset - this.safe
    while (start > 0 && !'\n\r'.includes(this.#text.charAt(start - 1))) start--
    return this.safe + Math.max(0, start)
  }
}

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
