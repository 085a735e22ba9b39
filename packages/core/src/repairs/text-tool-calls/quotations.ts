import type { Answer } from '../../answer/answer.ts'
import { spanHolds, type TextSpan } from '../../answer/span.ts'

/** `code`: shown as code or in a block quote, so no call of the answer; `open`: perhaps a quotation; `none`: the answer's own words. */
export type Quotation = 'code' | 'open' | 'none'

const mark = /\r\n?|\n|["“”„«»]|<!--|-->|<\/?[a-z][^<>]*>/gi
/** Marks that stand right before what they quote; others of their kind are apostrophes and code that ends elsewhere. */
const opener = /['`‘‚‹]\s*$/
const nameOfTag = /[a-z][\w:-]*/i
/** Elements that need no end, and those that hold calls. */
const withoutEnd = /^(?:br|hr|img|input|link|meta|p|li|dt|dd|tr|td|th|tool_calls?|function_calls?)$/

/** Tells of places in an answer whether they are quoted; asked from the start of the answer to its end, it reads it once. */
export class Quotations {
  readonly #answer: Answer
  readonly #pattern = new RegExp(mark)
  readonly #opened = new Map<string, number>()
  #elements = 0
  #code: readonly { readonly span: TextSpan }[] | undefined
  #pending: RegExpExecArray | null
  #lineStart: number
  /** Marks of a paragraph are not looked for in the next one. */
  #straight = false
  #pairs = 0
  #angles = false
  #inQuote = false
  #indented = false
  #comment = false

  constructor(answer: Answer) {
    this.#answer = answer
    this.#lineStart = answer.bodyStart
    this.#startLine(true)
    this.#pattern.lastIndex = answer.bodyStart
    this.#pending = this.#pattern.exec(answer.text)
  }

  /** How the character at an offset is quoted. */
  at(offset: number): Quotation {
    const { text } = this.#answer
    for (; this.#pending && this.#pending.index < offset; this.#pending = this.#pattern.exec(text)) this.#take(this.#pending)
    this.#code ??= this.#answer.inlineCode.map((span) => ({ span }))
    if (this.#inQuote || this.#answer.inFence(offset) || spanHolds(this.#code, offset)) return 'code'
    const isOpen = this.#straight || this.#pairs > 0 || this.#angles || this.#indented || this.#comment || this.#elements > 0
    return isOpen || opener.test(text.slice(Math.max(this.#lineStart, offset - 8), offset)) ? 'open' : 'none'
  }

  /** Passes over text whose marks are not those of the answer, such as a call. */
  skipTo(offset: number): void {
    this.#lineStart = offset
    this.#pattern.lastIndex = offset
    this.#pending = this.#pattern.exec(this.#answer.text)
  }

  #take({ 0: found, index }: RegExpExecArray): void {
    if (found === '"') this.#straight = !this.#straight
    else if (found === '„') this.#pairs++
    else if (found === '“') this.#pairs += this.#pairs > 0 ? -1 : 1
    else if (found === '”') this.#pairs = Math.max(0, this.#pairs - 1)
    else if (found === '«' || found === '»') this.#angles = !this.#angles
    else if (found === '<!--') this.#comment = true
    else if (found === '-->') this.#comment = false
    else if (found.startsWith('<')) this.#takeTag(found)
    else {
      const wasBlank = this.#answer.text.slice(this.#lineStart, index).trim() === ''
      this.#lineStart = index + found.length
      this.#startLine(wasBlank)
    }
  }

  #takeTag(tag: string): void {
    const name = nameOfTag.exec(tag)?.[0].toLowerCase() ?? ''
    if (withoutEnd.test(name) || tag.endsWith('/>')) return
    const open = this.#opened.get(name) ?? 0
    const change = !tag.startsWith('</') ? 1 : open > 0 ? -1 : 0
    this.#opened.set(name, open + change)
    this.#elements += change
  }

  #startLine(isAfterBlank: boolean): void {
    const { text } = this.#answer
    const start = text.slice(this.#lineStart, this.#lineStart + 64)
    if (isAfterBlank) {
      this.#straight = this.#angles = this.#inQuote = false
      this.#pairs = 0
    }
    // A quote goes on over lines without its mark, until a blank one.
    this.#inQuote ||= /^(?:\s|[-*+]\s|\d{1,9}[.)]\s)*>/.test(start)
    this.#indented = /^(?: {4}|\t)/.test(start) && (isAfterBlank || this.#indented)
  }
}
