import { isDelimiterRow } from '../../answer/markdown/line-marks.ts'
import type { Outline } from '../../answer/outline.ts'
import type { AnswerOutline } from '../../answer/reader.ts'
import { endOfMatch, spanHolds, type TextSpan } from '../../answer/span.ts'
import { htmlParagraphs, type Paragraph } from './html-paragraphs.ts'

/** Where the blocks end that are read, and with HTML the paragraphs in it. */
export function endOfRead({ inlines, codeBlocks, htmlBlocks, closed, bodyStart }: AnswerOutline, hasTag: boolean): number {
  if (!hasTag) return closed
  return Math.max(bodyStart, inlines.at(-1)?.end ?? 0, codeBlocks.at(-1)?.span.end ?? 0, htmlBlocks.at(-1)?.end ?? 0)
}

/** The paragraphs and headings of a text in its order, also those that blocks of HTML show, and which of them cite. */
export class Paragraphs {
  readonly #slice: (span: TextSpan) => string
  #inlines = 0
  #blocks = 0
  #inHtml: Paragraph[] = []
  #next = 0
  /** The citations that have not been counted for a paragraph. */
  #cited: number[] = []
  /** Start of the line that was cited in last. */
  #citedLine = -1

  /** `slice` is asked for the text of a block that has ended. */
  constructor(slice: (span: TextSpan) => string) {
    this.#slice = slice
  }

  /** The first that has ended and was not taken; undefined when there is none. */
  first({ inlines, htmlBlocks }: Pick<Outline, 'inlines' | 'htmlBlocks'>): Paragraph | undefined {
    const inline = inlines[this.#inlines]
    for (; this.#next === this.#inHtml.length; this.#blocks++) {
      const html = htmlBlocks[this.#blocks]
      if (html === undefined || html.start > (inline?.start ?? html.start))
        return inline && { start: inline.start, end: inline.end, shown: this.#slice(inline) }
      this.#inHtml = [...htmlParagraphs(this.#slice(html), html.start)]
      this.#next = 0
    }
    return this.#inHtml[this.#next]
  }

  /** Notes a citation that supports the text before it. */
  cite(offset: number, lineStart: number): void {
    this.#cited.push(offset)
    this.#citedLine = lineStart
  }

  /** Whether a paragraph that has ended is asked for a citation and has none. */
  isUncited(paragraph: Paragraph, outline: Pick<Outline, 'headings' | 'listItems'>): boolean {
    return !this.#cited.some((offset) => offset >= paragraph.start && offset < paragraph.end) && isProse(paragraph, outline)
  }

  /** Goes on to the paragraph behind the first. */
  pass({ end }: TextSpan): void {
    this.#cited = this.#cited.filter((offset) => offset >= end)
    if (this.#next < this.#inHtml.length) this.#next++
    else this.#inlines++
  }

  /** How far the text is outside of paragraphs that still need a citation. */
  hold(outline: AnswerOutline, lineStart: number, length: number, hasTag: boolean): number {
    const paragraph = this.first(outline)
    if (paragraph) return paragraph.start
    if (outline.marginFence) return length
    // A line of HTML may show several paragraphs.
    const isCited = this.#citedLine === lineStart && !hasTag && outline.closed >= lineStart
    return isCited ? length : Math.min(length, endOfRead(outline, hasTag))
  }
}

/** Whether a paragraph is one of prose, which can be asked for a citation. */
function isProse({ shown: text, start }: Paragraph, outline: Pick<Outline, 'headings' | 'listItems'>): boolean {
  if (spanHolds(outline.headings, start) || spanHolds(outline.listItems, start)) return false
  if (!/[\p{L}\p{N}]/u.test(text)) return false
  return !(leadsIn(text) || isTable(text) || isDefinition(text, 0) || isImage(text))
}

/** A line such as "These are the reasons:" says nothing itself. */
function leadsIn(text: string): boolean {
  let end = text.trimEnd().length
  while (text[end - 1] === '*' || text[end - 1] === '_') end--
  return text[end - 1] === ':' || text[end - 1] === '：'
}

function isTable(text: string): boolean {
  const [head = '', rule = ''] = text.split(/\r\n|\r|\n/, 2)
  // In a quote its mark comes before the bars.
  return head.includes('|') && rule.includes('|') && isDelimiterRow(rule.replaceAll('>', ' '))
}

// backtracks: sticky, so it reads at most 999 characters
const definition = /\[[^\]\r\n]{1,999}\]:/y

/** Whether an entry of a list of addresses, or of what footnotes say, begins at an offset. */
export function isDefinition(text: string, at: number): boolean {
  return endOfMatch(definition, text, at) !== undefined
}

function isImage(text: string): boolean {
  return /^!\[[^\]\r\n]*\]\([^)\r\n]*\)$/.test(text.trim())
}
