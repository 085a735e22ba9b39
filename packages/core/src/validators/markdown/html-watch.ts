import { findInlineCode } from '../../answer/inline/inline-code.ts'
import { InlineHtml } from '../../answer/inline/inline-html.ts'
import { StepBudget } from '../../answer/inline/scan-result.ts'
import type { CodeBlock, InlineBlock, Outline } from '../../answer/outline.ts'
import { spanHolds, type TextSpan } from '../../answer/span.ts'
import { type HtmlFault, isActiveText, mostRead, readTag } from './html-tag.ts'

/** What HTML is allowed: none, or none that is active. */
export type HtmlRule = 'none' | 'inert'

/** HTML that is not allowed, and where it is. */
export interface FoundHtml {
  readonly span: TextSpan
  readonly fault: HtmlFault
}

/** The outline of a text that is read as far as it is judged. */
type HtmlOutline = Pick<Outline, 'codeBlocks' | 'inlines'>

/** So much of an address is looked at. */
const longestAddress = 2000

/** Where HTML may begin. */
export const htmlStart = /<(?=[a-z/!?])/gi

interface ReadBlock {
  readonly index: number
  readonly block: InlineBlock
  readonly text: string
  readonly html: InlineHtml
  readonly code: readonly { readonly span: TextSpan }[]
  /** The line that was asked for last, and where it begins in the text. */
  line: number
  joined: number
}

/** Judges the places of an answer where HTML may begin, in text order. */
export class HtmlWatch {
  /** Whether the text begins with one. */
  hasByteOrderMark = false
  readonly #rule: HtmlRule
  readonly #slice: (span: TextSpan) => string
  #inline = 0
  #code = 0
  #block: ReadBlock | undefined
  /** Where other readers end the block of code that was asked for last. */
  #ended: { readonly block: CodeBlock; readonly at: number } | undefined

  constructor(rule: HtmlRule, slice: (span: TextSpan) => string) {
    this.#rule = rule
    this.#slice = slice
  }

  /** Whether other readers see no fence there: one is behind a byte order mark, or is the head of a table. */
  mayBeText(info: string, start: number): boolean {
    return info.includes('|') || (start === 1 && this.hasByteOrderMark)
  }

  /** What is wrong at an offset, undefined when nothing is; `read` is where the text ends that may be looked at, and `open` is returned when that is too early. */
  judge(at: number, outline: HtmlOutline, read: number, isEnd: boolean): FoundHtml | 'open' | undefined {
    const { codeBlocks, inlines } = outline
    while ((codeBlocks[this.#code]?.span.end ?? Number.POSITIVE_INFINITY) <= at) this.#code++
    while ((inlines[this.#inline]?.end ?? Number.POSITIVE_INFINITY) <= at) this.#inline++
    const code = codeBlocks[this.#code]
    const inCode = code !== undefined && code.span.start <= at
    const isText = inCode && this.mayBeText(code.info, code.span.start)
    if (inCode && !code.holdsFences && !isText) return undefined
    if (inCode && !isEnd) return 'open'
    if (inCode && !isText && !this.#isBehindFence(at, code)) return undefined
    const inline = inlines[this.#inline]
    if (inline && inline.start <= at && !inCode) return this.#judgeInline(at, inline)
    const rest = inCode ? code.span.end : Math.min(read, inline?.start ?? read, code?.span.start ?? read)
    const end = this.#isQuoted(at) ? Math.min(rest, this.#lineEnd(at, rest)) : rest
    const text = this.#slice({ start: at, end: isEnd ? end : Math.min(end, at + mostRead) })
    // What is open may go on with the next lines.
    const mayGoOn = !isEnd && (end === read || end > at + mostRead)
    if (mayGoOn && !/^<[!?]/.test(text) && !readTag(text, 0).isClosed) return 'open'
    return this.#judgeTag(text, at, end)
  }

  /** Whether a line of a quotation is before an offset: a tag cannot go on after it without the marks of the next line. */
  #isQuoted(at: number): boolean {
    const line =
      this.#slice({ start: Math.max(0, at - 200), end: at })
        .split(/[\r\n]/)
        .at(-1) ?? ''
    return /^[\s*+\-\d.)]*>/.test(line)
  }

  #lineEnd(at: number, end: number): number {
    const found = this.#slice({ start: at, end }).search(/[\r\n]/)
    return found < 0 ? end : at + found
  }

  /** Whether other readers of CommonMark have ended a block of code before an offset. */
  #isBehindFence(at: number, block: CodeBlock): boolean {
    if (this.#ended?.block !== block) this.#ended = { block, at: this.#firstEnd(block) }
    return at >= this.#ended.at
  }

  /** Where the line ends that looks like the end of a block of code. */
  #firstEnd({ char, length, contentSpan }: CodeBlock): number {
    let end = contentSpan.start
    for (const line of this.#slice(contentSpan).split(/(?<=\n|\r(?!\n))/)) {
      end += line.length
      const shown = line.trim()
      if (shown.length >= length && shown.replaceAll(char, '') === '') return end
    }
    return Number.POSITIVE_INFINITY
  }

  #judgeInline(at: number, block: InlineBlock): FoundHtml | undefined {
    if (this.#block?.index !== this.#inline) this.#block = this.#read(block)
    const read = this.#block
    const { text, html, code } = read
    if (spanHolds(code, at)) return undefined
    const lines = block.lines ?? [block]
    for (; (lines[read.line]?.end ?? at) < at; read.line++) read.joined += lengthOf(lines[read.line]) + 1
    const start = read.joined + at - (lines[read.line]?.start ?? at)
    if (isEscaped(text, start)) return undefined
    const end = html.endAt(start)
    if (end === undefined && !isActiveText(text, start)) return undefined
    const tag = typeof end === 'number' ? text.slice(start, end) : text.slice(start)
    return end !== undefined && isAutolink(tag) ? undefined : this.#judgeTag(tag, at, block.end)
  }

  #read(block: InlineBlock): ReadBlock {
    const whole = this.#slice(block)
    const lines = block.lines ?? [block]
    const text = lines.map(({ start, end }) => whole.slice(start - block.start, end - block.start)).join('\n')
    const code = findInlineCode(whole, block, block.start).map((span) => ({ span }))
    return { index: this.#inline, block, text, html: new InlineHtml(text, new StepBudget(text.length)), code, line: 0, joined: 0 }
  }

  #judgeTag(text: string, start: number, most: number): FoundHtml | undefined {
    const span = (length: number): TextSpan => ({ start, end: Math.min(most, start + length) })
    const declared = /^<(?:!--|[!?][a-z]*)/i.exec(text)?.[0].toLowerCase()
    if (declared === '<!--' && this.#rule === 'inert') return undefined
    if (declared !== undefined) return { span: span(declared.length), fault: { kind: 'element' } }
    const { end, fault } = readTag(text, 0)
    return fault === undefined && this.#rule === 'inert' ? undefined : { span: span(end), fault: fault ?? { kind: 'element' } }
  }
}

function lengthOf(span: TextSpan | undefined): number {
  return span === undefined ? 0 : span.end - span.start
}

function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text[before - 1] === '\\') before--
  return (at - before) % 2 === 1 && !isInAddress(text, before)
}

/** Whether an address that is a link without any marks goes up to an offset: a backslash is part of it then. */
function isInAddress(text: string, end: number): boolean {
  let start = end
  while (start > 0 && end - start < longestAddress && !/[\s<]/.test(text[start - 1] as string)) start--
  return /:\/|www\.|@/i.test(text.slice(start, end))
}

/** An address in angle brackets, of those that CommonMark reads as HTML or as a link. */
function isAutolink(text: string): boolean {
  return /^<[a-z][a-z0-9.+-]{1,31}:[^\s<>]*>$/i.test(text) || (text.includes('@') && /^<[^\s<>/"'=]+>$/.test(text))
}
