import type { AnswerOutline } from '../../../answer/reader.ts'
import { mayBeJson } from '../../../json/json-fault.ts'
import { markAt } from '../dialects/marks.ts'
import type { CallableTools } from '../notations/callable-tools.ts'
import { mayBePythonCalls, mayBePythonValue } from '../notations/python-calls.ts'
import { nextValue, readCalls, withoutPrefix } from '../notations/read-calls.ts'
import { readFencedCalls, withoutEnd } from '../text-calls/fenced.ts'

/** Up to this length every prefix is looked at, of longer texts only those that have grown by a part, so that time stays linear. */
const alwaysLookedAt = 64
const growth = 1.25

/** The length of the next prefix that is looked at. */
function lengthAfter(length: number): number {
  return length < alwaysLookedAt ? length + 1 : Math.ceil(length * growth)
}

/** Watches whether all of a stream may be calls without marks. */
export class WholeWatch {
  readonly #tools: CallableTools
  #text = ''
  /** How much of it has been looked at. */
  #seen = 0
  /** Whether all of it may be calls. */
  mayBe = true

  constructor(tools: CallableTools) {
    this.#tools = tools
  }

  /** Takes the next piece of text; looks at prefixes of fixed lengths, however the text is cut. */
  push(piece: string): void {
    if (!this.mayBe) return
    this.#text = this.#text === '' ? piece.trimStart() : this.#text + piece
    for (let next = lengthAfter(this.#seen); this.mayBe && next <= this.#text.length; next = lengthAfter(next)) {
      this.#seen = next
      this.mayBe = mayBeCalls(wholePrefix(this.#text, next), this.#tools)
    }
    if (!this.mayBe) this.#text = ''
  }
}

/** A prefix that does not end within a surrogate pair, whose half is not a letter. */
function wholePrefix(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}

/** Finds the first fence of a stream that is nothing but calls. */
export class FenceWatch {
  readonly #tools: CallableTools
  /** Where the fence is that was found. */
  #found: number | undefined
  /** How many of the reader's fences have ended. */
  #ended = 0
  /** The fence that is open, with how much of it has been looked at. */
  #open: { readonly start: number; seen: number; mayBe: boolean } | undefined
  /** Whether words come before the next fence; undefined before the first one. */
  #hasWords: boolean | undefined
  /** The line that is not complete, and its first visible characters: three show whether it opens a fence. */
  #line = ''
  #head = ''
  #length: number

  constructor(start: number, tools: CallableTools) {
    this.#length = start
    this.#tools = tools
  }

  /** Takes the next piece of text, which the reader has seen; returns where text has to be held from. */
  push(piece: string, reader: AnswerOutline): number {
    // The line begins behind a break, or where reasoning has ended.
    const start = Math.max(piece.lastIndexOf('\n') + 1, piece.lastIndexOf('\r') + 1, reader.bodyStart - this.#length)
    if (start > 0) this.#line = this.#head = ''
    const rest = piece.slice(start)
    this.#length += piece.length
    this.#line += rest
    if (this.#head.length < 3) this.#head = (this.#head + rest).trimStart().slice(0, 3)
    return this.#hold(reader)
  }

  #hold(reader: AnswerOutline): number {
    if (this.#found !== undefined) return this.#found
    const { codeBlocks, openFence, decided } = reader
    for (; this.#ended < codeBlocks.length; this.#ended++) {
      const { span, content, closed, nested } = codeBlocks[this.#ended] as (typeof codeBlocks)[number]
      const read = this.#isBelowWords(span.start, reader) ? readCalls : readFencedCalls
      if (closed && !nested && read(content, this.#tools)) {
        this.#found = span.start
        return span.start
      }
      this.#hasWords = true
    }
    if (openFence !== undefined && this.#mayBe(openFence, reader)) return openFence.start
    // A line outside of its container ends a fence in it. Lines that may still turn out to be something else may be fences too.
    const isInside = openFence?.nested === false
    const mayOpen = !isInside && this.#head !== '' && ['```', '~~~'].some((marks) => marks.startsWith(this.#head))
    return mayOpen || decided < this.#length - this.#line.length ? decided : Number.POSITIVE_INFINITY
  }

  #mayBe(fence: NonNullable<AnswerOutline['openFence']>, reader: AnswerOutline): boolean {
    const { start, contentSpan, nested } = fence
    if (this.#open?.start !== start) this.#open = { start, seen: 0, mayBe: !nested }
    const open = this.#open
    const length = contentSpan.end - contentSpan.start + this.#line.length
    if (!open.mayBe || length < lengthAfter(open.seen)) return open.mayBe
    open.seen = length
    // Its last line may be the one that closes it.
    const text = /^[`~]/.test(this.#head) ? fence.content : `${fence.content}\n${this.#line}`
    open.mayBe = mayBeFencedCalls(text, this.#tools, this.#isBelowWords(start, reader))
    return open.mayBe
  }

  /** Asked for each fence in turn: only before the first one there may be nothing. */
  #isBelowWords(start: number, reader: AnswerOutline): boolean {
    this.#hasWords ??= reader.text.slice(reader.bodyStart, start).trim() !== ''
    return this.#hasWords
  }
}

/** Whether a text that is nothing but calls may begin with this one. */
export function mayBeCalls(text: string, tools: CallableTools): boolean {
  let start = withoutPrefix(withoutEnd(text.trimStart(), false), false)
  if (start === '' || 'functools['.startsWith(start) || markAt(start, 0, tools) !== 'none' || isHead(start)) return true
  // Of several values of JSON, those that are complete must be calls.
  for (let value = nextValue(start, 0); value && value.end < start.trimEnd().length; value = nextValue(start, 0)) {
    if (value.next === value.end || readCalls(start.slice(0, value.end), tools) === undefined) break
    start = start.slice(value.next)
    if (start === '') return true
  }
  if (/^[[{]/.test(start) && (mayBeJson(start) || mayBePythonValue(start))) return true
  return /^[[\p{L}_\\"']/u.test(start) && mayBePythonCalls(start, tools)
}

/** Whether a text is the head of a message for a tool, or may become it; the prompt may end within it. */
function isHead(text: string): boolean {
  return 'to='.startsWith(text) || /^to=[\w.:-]{0,200}\s{0,9}(?:<|$)/.test(text)
}

/** Whether the content of a fence with calls may begin with this text: below words, marks in a fence are shown, not meant. */
export function mayBeFencedCalls(content: string, tools: CallableTools, hasWords = false): boolean {
  const start = content.trimStart()
  if (markAt(start, 0, tools) === 'mark') return !hasWords
  return start.startsWith('<') ? markAt(start, 0, tools) === 'start' : mayBeCalls(start, tools)
}
