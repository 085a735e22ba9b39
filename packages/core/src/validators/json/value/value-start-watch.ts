import { isLetter } from '../../../answer/characters.ts'
import type { CodeBlock } from '../../../answer/outline.ts'
import type { AnswerOutline } from '../../../answer/reader.ts'
import { isJsonLanguage } from '../../shared/locate-json.ts'
import { type AcceptedKinds, noSchema } from '../../shared/prose-values.ts'
import { type ValueStart, valueStart } from '../../shared/value-start.ts'

/** Where the value of an answer begins. */
interface WatchedStart {
  /** Offset of its bracket. */
  readonly at: number
  /** Whether the answer has this value or none that is clear: elsewhere a code block that follows would be the answer. */
  readonly isCertain: boolean
}

const brackets = new Set('{[}]')
/** What says more than that there is text. */
const marks = /[[\]{}`\n]/
/** Characters after a bracket that decide what it begins. */
const mostAhead = 640

/** A key, with or without quotes, after which a colon may follow; or the start of one. */
// backtracks: at most 640 characters
const unfinished = /^[\s[{]*(?:"(?:[^"\\\n]|\\.)*(?:\\|"\s*)?|'(?:[^'\\\n]|\\.)*(?:\\|'\s*)?|“(?:[^”\\\n]|\\.)*(?:\\|”\s*)?|[\w$-]*\s*)$/

/** Finds the bracket that the value of an answer begins with, while the answer is read: the one that the whole check would find, when all goes well. */
export class ValueStartWatch {
  found: WatchedStart | undefined
  /** What is kept of the text, and its offset. */
  text = ''
  from = 0
  #next = 0
  #bodyStart = 0
  #hasWords = false
  /** Whether something before may be, or quote, another value. */
  #isDisturbed = false
  /** Brackets that begin no value and are open. */
  #depth = 0
  #isFirstOpen = false
  #lineStart = 0
  /** After the last visible character. */
  #visibleEnd = 0
  #ticks = 0
  #block = 0
  readonly #accepts: AcceptedKinds

  constructor(accepts: AcceptedKinds = noSchema) {
    this.#accepts = accepts
  }

  /** Takes the next piece of text, which the reader has seen; with the start it keeps all text from there on. */
  push(chunk: string, reader: AnswerOutline): void {
    if (this.#passes(chunk, reader)) return
    this.text += chunk
    if (reader.inReasoning) this.#skipTo(this.from + this.text.length)
    if (reader.bodyStart > this.#bodyStart) this.#enterBody(reader.bodyStart)
    for (let index = this.#next - this.from; index < this.text.length && !this.found; index++) {
      // Most of prose: letters that say nothing new.
      if (this.#hasWords && isLetter(this.text.charCodeAt(index))) {
        this.#next = this.from + index + 1
        this.#visibleEnd = this.#next
        continue
      }
      if (!this.#take(index, reader)) break
      this.#next = this.from + index + 1
      if (!/\s/.test(this.text.charAt(index))) this.#visibleEnd = this.#next
    }
    this.#forget()
  }

  /** Passes over a piece of prose in which nothing begins or ends, as most of it is. */
  #passes(chunk: string, reader: AnswerOutline): boolean {
    const isOpen = this.#hasWords && this.#next === this.from + this.text.length && this.#bodyStart === reader.bodyStart
    if (!isOpen || reader.inReasoning || marks.test(chunk)) return false
    const last = chunk.charCodeAt(chunk.length - 1)
    const visible = last > 32 && last < 127 ? chunk.length : chunk.trimEnd().length
    if (visible > 0) this.#visibleEnd = this.#next + visible
    this.#next += chunk.length
    this.text = chunk.charAt(chunk.length - 1)
    this.from = this.#next - 1
    return true
  }

  /** Looks at one character; false when more text is needed. */
  #take(index: number, reader: AnswerOutline): boolean {
    const char = this.text.charAt(index)
    if (char === '\n') {
      // Inline code ends with its paragraph.
      if (this.#visibleEnd <= this.#lineStart) this.#ticks = 0
      this.#lineStart = this.from + index + 1
    } else if (char === '`') this.#ticks++
    else if (brackets.has(char)) return this.#takeBracket(index, reader)
    else this.#hasWords ||= /\p{L}/u.test(char) && /\p{L}/u.test(this.text.charAt(index - 1))
    return true
  }

  #takeBracket(index: number, reader: AnswerOutline): boolean {
    const at = this.from + index
    // Lines that may still turn out to be something else.
    if (!this.#isFirst() && reader.decided < this.#lineStart) return false
    const block = this.#isFirst() ? undefined : this.#blockAt(reader, at)
    // A program shows no value, nor does the line that opens a fence.
    if (block && (!isJsonLanguage(block.language) || at < block.contentSpan.start)) return true
    const char = this.text.charAt(index)
    if (char === '}' || char === ']') {
      // What begins with a bracket has its value there, or none that is known before the end.
      if (this.#depth > 0 && !this.#isFirstOpen) this.#depth--
      return true
    }
    if (this.#depth === 0) {
      const start = valueStart(this.text, index)
      if (start.kind === 'none' && this.#mayStillBegin(index)) return false
      if (start.kind !== 'none') this.#begin(index, start, block)
      if (this.found) return true
      this.#isFirstOpen ||= this.#isFirst()
      // What is over several lines may hold what looks like the value.
      this.#isDisturbed ||= start.kind !== 'none' || /^[ \t]*[\r\n]/.test(this.text.slice(index + 1, index + mostAhead))
    } else this.#isDisturbed = true
    this.#depth++
    return true
  }

  /** Whether more text may show that the bracket begins a value. */
  #mayStillBegin(index: number): boolean {
    const ahead = this.text.slice(index + 1, index + mostAhead)
    return ahead.length < mostAhead - 1 && unfinished.test(ahead)
  }

  #begin(index: number, { kind, hasBareKey }: ValueStart, block: CodeBlock | undefined): void {
    const at = this.from + index
    const isOwnLine = this.#isFirst() || this.#visibleEnd <= this.#lineStart
    // In a line of prose, lists are taken where the schema accepts them.
    const isInProse = !hasBareKey && (kind === 'object' || isOwnLine || this.#accepts.array) && this.#isApart(index)
    const mayBe = this.#isFirst() || (block ? this.#isFirstIn(block) : isInProse)
    // A link may begin as a list of texts does.
    if (mayBe) this.found = { at, isCertain: !this.#isDisturbed && (block !== undefined || (isOwnLine && kind !== 'texts')) }
  }

  #isFirstIn({ verbatim, contentSpan }: CodeBlock): boolean {
    return verbatim && this.#visibleEnd <= contentSpan.start
  }

  #isApart(index: number): boolean {
    return this.#ticks % 2 === 0 && this.#hasWords && /[\s:>]/.test(this.text.charAt(index - 1))
  }

  #isFirst(): boolean {
    return this.#visibleEnd <= this.#bodyStart
  }

  #enterBody(bodyStart: number): void {
    this.#bodyStart = bodyStart
    this.#skipTo(bodyStart)
    this.#lineStart = bodyStart
    this.#visibleEnd = bodyStart
    this.#hasWords = false
    this.#isDisturbed = false
    this.#depth = 0
    this.#isFirstOpen = false
  }

  #skipTo(offset: number): void {
    this.#next = Math.max(this.#next, offset)
  }

  /** Forgets what was looked at, but for the last character. */
  #forget(): void {
    const needed = this.found?.at ?? this.#next - 1
    if (needed <= this.from) return
    this.text = this.text.slice(needed - this.from)
    this.from = needed
  }

  #blockAt(reader: AnswerOutline, at: number): CodeBlock | undefined {
    const open = reader.openFence
    if (open && at >= open.start) return open
    while ((reader.codeBlocks[this.#block]?.span.end ?? Number.POSITIVE_INFINITY) <= at) this.#block++
    const block = reader.codeBlocks[this.#block]
    return block && block.span.start <= at ? block : undefined
  }
}
