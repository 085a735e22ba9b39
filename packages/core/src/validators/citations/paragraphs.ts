import type { Outline } from '../../answer/outline.ts'
import { spanHolds, type TextSpan } from '../../answer/span.ts'
import { htmlParagraphs, type Paragraph } from './html-paragraphs.ts'

/** The paragraphs and headings of a text in its order, also those that blocks of HTML show. */
export class Paragraphs {
  readonly #slice: (span: TextSpan) => string
  #inlines = 0
  #blocks = 0
  #inHtml: Paragraph[] = []
  #next = 0

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

  /** Goes on to the one behind the first. */
  take(): void {
    if (this.#next < this.#inHtml.length) this.#next++
    else this.#inlines++
  }
}

/** Whether a paragraph is one of prose, which can be asked for a citation. */
export function isProse({ shown: text, start }: Paragraph, outline: Pick<Outline, 'headings' | 'listItems'>): boolean {
  if (spanHolds(outline.headings, start) || spanHolds(outline.listItems, start)) return false
  if (!/[\p{L}\p{N}]/u.test(text)) return false
  return !(leadsIn(text) || isTable(text) || isDefinition(text) || isImage(text))
}

/** A line such as "These are the reasons:" says nothing itself. */
function leadsIn(text: string): boolean {
  let end = text.trimEnd().length
  while (text[end - 1] === '*' || text[end - 1] === '_') end--
  return text[end - 1] === ':' || text[end - 1] === '：'
}

/** The second line of a table is made of dashes, colons and bars. */
function isTable(text: string): boolean {
  const [head = '', rule = ''] = text.split(/\r\n|\r|\n/, 2)
  return head.includes('|') && rule.includes('-') && rule.includes('|') && /^[\s|:>-]+$/.test(rule)
}

/** A list of addresses, or of what footnotes say. */
function isDefinition(text: string): boolean {
  return /^\[[^\]\r\n]{1,999}\]:/.test(text)
}

function isImage(text: string): boolean {
  return /^!\[[^\]\r\n]*\]\([^)\r\n]*\)$/.test(text.trim())
}
