import type { CodeBlock } from '../../../answer/outline.ts'
import type { AnswerReader } from '../../../answer/reader.ts'
import { isJsonLanguage } from '../../shared/locate-json.ts'
import { valueStart } from '../../shared/value-start.ts'

/** Where the value of an answer begins. */
export interface WatchedStart {
  /** Offset of its bracket. */
  readonly at: number
  /** Whether the answer has this value or none that is clear: elsewhere a code block that follows would be the answer. */
  readonly isCertain: boolean
}

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
  #lineTicks = 0

  /** Takes the next piece of text, which the reader has seen; with the start it keeps all text from there on. */
  push(chunk: string, reader: AnswerReader): void {
    this.text += chunk
    if (reader.inReasoning) this.#skipTo(this.from + this.text.length)
    if (reader.bodyStart > this.#bodyStart) this.#enterBody(reader.bodyStart)
    for (let index = this.#next - this.from; index < this.text.length && !this.found; index++) {
      if (!this.#take(index, reader)) break
      this.#next = this.from + index + 1
      if (!/\s/.test(this.text.charAt(index))) this.#visibleEnd = this.#next
    }
    this.#forget()
  }

  /** Looks at one character; false when more text is needed. */
  #take(index: number, reader: AnswerReader): boolean {
    const char = this.text.charAt(index)
    if (char === '\n') {
      this.#lineStart = this.from + index + 1
      this.#lineTicks = 0
    } else if (char === '`') {
      this.#lineTicks++
    } else if (char === '{' || char === '[') {
      if (this.#depth === 0 && this.#mayStillBegin(index)) return false
      const isValue = this.#depth === 0 && valueStart(this.text, index, true).kind !== 'none'
      if (isValue) return this.#begin(index, reader)
      this.#isFirstOpen ||= this.#isFirst()
      this.#depth++
    } else if ((char === '}' || char === ']') && this.#depth > 0) {
      // What begins with a bracket has its value there, or none that is known before the end.
      this.#depth -= this.#isFirstOpen ? 0 : 1
    } else this.#hasWords ||= /\p{L}/u.test(char) && /\p{L}/u.test(this.text.charAt(index - 1))
    return true
  }

  /** Whether more text may show that the bracket begins a value. */
  #mayStillBegin(index: number): boolean {
    if (valueStart(this.text, index, true).kind !== 'none') return false
    const ahead = this.text.slice(index + 1, index + mostAhead)
    return ahead.length < mostAhead - 1 && unfinished.test(ahead)
  }

  #begin(index: number, reader: AnswerReader): boolean {
    const at = this.from + index
    if (this.#isFirst()) {
      this.found = { at, isCertain: !this.#isDisturbed }
      return true
    }
    // Lines that may still turn out to be something else.
    if (reader.decided < this.#lineStart) return false
    const block = blockAt(reader, at)
    if (block) this.#beginInBlock(block, at)
    else if (this.#lineTicks % 2 === 0 && /[\s:>]/.test(this.text.charAt(index - 1)) && this.#hasWords) {
      this.found = { at, isCertain: this.#visibleEnd <= this.#lineStart && !this.#isDisturbed }
    }
    if (!this.found) {
      this.#isDisturbed = true
      this.#depth++
    }
    return true
  }

  #beginInBlock({ verbatim, language, contentSpan }: CodeBlock, at: number): void {
    if (verbatim && isJsonLanguage(language) && this.#visibleEnd <= contentSpan.start) this.found = { at, isCertain: !this.#isDisturbed }
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
}

function blockAt(reader: AnswerReader, at: number): CodeBlock | undefined {
  const open = reader.openFence
  if (open && at >= open.start) return open
  return reader.codeBlocks.find(({ span }) => span.start <= at && at < span.end)
}
