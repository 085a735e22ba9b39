import { findInlineCode } from '../../answer/inline/inline-code.ts'
import type { AnswerReader } from '../../answer/reader.ts'
import type { TextSpan } from '../../answer/span.ts'
import type { KeptText } from './kept-text.ts'

/** Tells of offsets in closed blocks of a stream, asked about in text order, whether they stand in inline code. */
export class InlineCodeWatch {
  readonly #kept: KeptText
  #inline = 0
  #code: { readonly inline: number; readonly holds: (offset: number) => boolean } | undefined

  constructor(kept: KeptText) {
    this.#kept = kept
  }

  /** Whether an offset stands in inline code; the text of its block must be kept. */
  holds(offset: number, { inlines }: AnswerReader): boolean {
    while ((inlines[this.#inline]?.end ?? Number.POSITIVE_INFINITY) <= offset) this.#inline++
    const inline = inlines[this.#inline]
    if (inline === undefined || inline.start > offset) return false
    if (this.#code?.inline !== this.#inline)
      this.#code = { inline: this.#inline, holds: holder(findInlineCode(this.#kept.slice(inline), inline, inline.start)) }
    return this.#code.holds(offset)
  }
}

/** Tells whether spans in text order hold offsets that never fall. */
export function holder(spans: readonly TextSpan[]): (offset: number) => boolean {
  let next = 0
  return (offset) => {
    while ((spans[next]?.end ?? Number.POSITIVE_INFINITY) <= offset) next++
    return (spans[next]?.start ?? Number.POSITIVE_INFINITY) <= offset
  }
}
