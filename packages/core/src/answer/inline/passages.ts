import type { InlineBlock, Outline } from '../outline.ts'
import type { TextSpan } from '../span.ts'
import { findInlineCode } from './inline-code.ts'
import { openTagIn } from './tag.ts'

/** Part of an answer that is read by itself: a paragraph or heading, or lines that are neither that nor fenced code. */
export interface Passage extends TextSpan {
  /** What is read: without the marks of lists and quotes at its lines, and with back-ticks in place of inline code. */
  readonly text: string
  /** Whether it is a paragraph or heading. */
  readonly isInline: boolean
  /** Where an offset of that text is in the answer. */
  place(offset: number): number
}

/** What is known of the structure of a text, whole or as far as it is read. */
type ReadBlocks = Pick<Outline, 'inlines' | 'codeBlocks'> & {
  readonly bodyStart: number
  readonly openFence?: { readonly start: number } | undefined
}

/** The mark of a quotation, which would end a tag. */
const quotation = /^[\s*+\-\d.)]*>/

/** Lines go on as long as a tag is open, but not longer. */
const longestTag = 1000

/** Reads the passages of a text in their order: the same ones whether it is whole or still comes in. */
export class PassageReader {
  /** Everything before this offset is read. */
  at = 0
  readonly #slice: (span: TextSpan) => string
  readonly #sign: RegExp
  #inlines = 0
  #blocks = 0
  /** How far the passage is read that begins there, and where the tag begins that is open in it. */
  #begun = { start: -1, from: 0, open: 0 }

  /** Passages without the sign are passed over; `<` has to be one. */
  constructor(slice: (span: TextSpan) => string, sign: RegExp) {
    this.#slice = slice
    this.#sign = sign
  }

  /** The next passage that ends before an offset, up to which the blocks are known; undefined when there is none. */
  next({ inlines, codeBlocks, bodyStart, openFence }: ReadBlocks, to: number, isEnd: boolean): Passage | undefined {
    while (this.at < to) {
      while ((inlines[this.#inlines]?.end ?? this.at + 1) <= this.at) this.#inlines++
      while ((codeBlocks[this.#blocks]?.span.end ?? this.at + 1) <= this.at) this.#blocks++
      const inline = inlines[this.#inlines]
      const code = codeBlocks[this.#blocks]?.span ?? (openFence && { start: openFence.start, end: to })
      const next = Math.min(inline?.start ?? to, code?.start ?? to, this.at < bodyStart ? bodyStart : to)
      if (code && code.start <= this.at) this.at = code.end
      else if (inline && inline.start <= this.at) {
        this.at = inline.end
        const passage = this.#readBlock(inline)
        if (passage) return passage
      } else {
        const passage = this.#readLines(next, isEnd || next < to)
        if (passage !== 'none') return passage
      }
    }
    return undefined
  }

  #readBlock(block: InlineBlock): Passage | undefined {
    const { start, end, lines = [block] } = block
    const whole = this.#slice(block)
    if (!this.#sign.test(whole)) return undefined
    let read = ''
    for (const code of findInlineCode(whole, block, start))
      read += whole.slice(read.length, code.start - start) + '`'.repeat(code.end - code.start)
    read += whole.slice(read.length)
    const text = lines.length === 1 ? read : lines.map((line) => read.slice(line.start - start, line.end - start)).join('\n')
    return { start, end, text, isInline: true, place: (offset) => placeIn(lines, offset) }
  }

  /** Reads a line that has the sign, with those behind it while a tag is open; undefined when there have to be more. */
  #readLines(to: number, isWhole: boolean): Passage | 'none' | undefined {
    const rest = this.#slice({ start: this.at, end: to })
    const sign = rest.search(this.#sign)
    if (sign < 0) {
      this.at = to
      return 'none'
    }
    const before = rest.slice(0, sign)
    const first = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1
    const start = this.at + first
    const begun = this.#begun.start === start ? this.#begun : { from: start, open: start }
    let open = begun.open - this.at
    for (let from = begun.from - this.at, end = from; ; from = end) {
      end = endOfLine(rest, from)
      const line = rest.slice(from, end)
      // A tag that is open stays so without its last sign.
      if (from === first || line.includes('>')) open = openTagIn(rest.slice(0, end), open)
      const isLast = open < 0 || end - open > longestTag || line.trim() === '' || quotation.test(line)
      if (!isLast && end < rest.length) continue
      if (!isLast && !isWhole) {
        this.#begun = { start, from: this.at + end, open: this.at + open }
        this.at = start
        return undefined
      }
      this.at += end
      return { start, end: this.at, text: rest.slice(first, end), isInline: false, place: (offset) => start + offset }
    }
  }
}

/** The passages of an answer that have a sign. */
export function* passagesOf(answer: ReadBlocks & { readonly text: string }, sign: RegExp): Generator<Passage> {
  const { length } = answer.text
  const reader = new PassageReader(({ start, end }) => answer.text.slice(start, end), sign)
  for (let one = reader.next(answer, length, true); one; one = reader.next(answer, length, true)) yield one
}

function endOfLine(text: string, from: number): number {
  const lineBreak = /\r\n?|\n/g
  lineBreak.lastIndex = from
  return lineBreak.test(text) ? lineBreak.lastIndex : text.length
}

/** Where an offset of joined lines is in the text that they are from. */
function placeIn(lines: readonly TextSpan[], offset: number): number {
  let joined = 0
  for (const { start, end } of lines) {
    if (offset <= joined + end - start) return start + offset - joined
    joined += end - start + 1
  }
  return lines.at(-1)?.end ?? offset
}
