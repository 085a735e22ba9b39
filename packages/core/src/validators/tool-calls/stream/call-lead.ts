import { AnswerReader } from '../../../answer/reader.ts'
import { mayBeJson } from '../../../json/json-fault.ts'
import { KeptText } from '../../shared/kept-text.ts'
import { longestMark, markAt } from '../dialects/marks.ts'
import type { CallableTools } from '../notations/callable-tools.ts'
import { mayBePythonCalls, mayBePythonValue } from '../notations/python-calls.ts'
import { nextValue, readCalls, withoutPrefix } from '../notations/read-calls.ts'
import { readFencedCalls, withoutEnd } from '../text-calls/fenced.ts'

/** Up to this length every prefix is looked at, of longer texts only those that have grown by a part, so that time stays linear. */
const alwaysLookedAt = 64
const growth = 1.25
/** More than what readers look ahead. */
const keptOfGap = 3

/**
 * Decides for a text that arrives in pieces whether it may still turn out to be nothing but calls in JSON or Python.
 *
 * Only prefixes of fixed lengths are read, however the text is cut: the result must not depend on the chunks.
 */
export class CallText {
  /** Whether it may. */
  isOpen = true
  readonly #mayBe: (text: string) => boolean
  #text = ''
  #lookAt = 1
  #hasWord = false
  #hasBracket = false
  /** The length of the gap at the end, and whether it ends in a comment that is kept. */
  #gap = 0
  #inComment = false
  #isCommentKept = false

  constructor(mayBe: (text: string) => boolean) {
    this.#mayBe = mayBe
  }

  /** Takes the next piece, and returns whether the text may still be calls. */
  push(piece: string): boolean {
    let at = 0
    for (; at < piece.length && this.isOpen && !this.#hasBracket; at += alwaysLookedAt)
      this.#take(this.#withShortGaps(piece.slice(at, at + alwaysLookedAt)))
    if (at < piece.length && this.isOpen) this.#take(piece.slice(at))
    return this.isOpen
  }

  #take(piece: string): void {
    this.#text += piece
    const { length } = this.#text
    if (length < this.#lookAt) return
    let at = Math.max(this.#lookAt, Math.min(length, alwaysLookedAt))
    for (let next = lengthAfter(at); next <= length; next = lengthAfter(at)) at = next
    this.#lookAt = lengthAfter(at)
    // Text that cannot be calls cannot become calls either, so that the longest prefix says enough.
    this.isOpen = this.#mayBe(wholePrefix(this.#text, at))
  }

  /** Shortens white space and comments before the first bracket, which may be long and say nothing: words after them would wait for the next look. */
  #withShortGaps(piece: string): string {
    let kept = ''
    for (let at = 0; at < piece.length; at++) {
      const char = piece.charAt(at)
      const isStart = char === '#' && this.#hasWord && !this.#inComment
      if (!isStart && !this.#inComment && char.trim() !== '') {
        this.#gap = 0
        this.#hasWord = true
        kept += char
        this.#hasBracket = '[{('.includes(char)
        if (this.#hasBracket) return kept + piece.slice(at + 1)
        continue
      }
      const isShort = this.#gap++ < keptOfGap
      if (isStart) this.#isCommentKept = isShort
      const isEnd = this.#inComment && char === '\n'
      this.#inComment = isStart || (this.#inComment && !isEnd)
      if (isShort || (isEnd && this.#isCommentKept)) kept += char
    }
    return kept
  }
}

function lengthAfter(length: number): number {
  return length < alwaysLookedAt ? length + 1 : Math.ceil(length * growth)
}

/** A prefix that does not end within a surrogate pair, whose half is not a letter. */
function wholePrefix(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}

/** Decides for the start of a body whether all of it may still turn out to be calls: JSON, Python, or fences with them. */
export class CallLead {
  /** Whether it may. */
  isOpen = true
  readonly #tools: CallableTools
  /** Sees what this does and nothing of the rest of the chunk, as the reader of the stream would. */
  readonly #reader = new AnswerReader()
  readonly #kept = new KeptText()
  #length = 0
  /** How many fences with calls are complete. */
  #fences = 0
  /** Where what comes after them starts, and its first characters. */
  #start = 0
  #head = ''
  /** Text without a fence. */
  #plain: CallText | undefined
  /** The content of the open fence, and where the next line of it starts. */
  #content: CallText | undefined
  #nextLine = 0

  constructor(tools: CallableTools) {
    this.#tools = tools
  }

  /** Takes the next piece of the body. */
  push(piece: string): void {
    this.#length += piece.length
    this.isOpen = this.#plain ? this.#plain.push(piece) : this.#take(piece)
  }

  #take(piece: string): boolean {
    this.#kept.push(piece)
    this.#reader.push(piece)
    for (;;) {
      if (this.#content === undefined && this.#head.length < longestMark) this.#readHead()
      const first = this.#head.charAt(0)
      if (first === '') return true
      if (markAt(this.#head, 0, this.#tools) === 'mark' || first === '<') return markAt(this.#head, 0, this.#tools) !== 'none'
      if (first !== '`' && first !== '~') return this.#fences === 0 && this.#startPlain()
      const fence = this.#lookAtFence()
      if (fence !== 'calls') return fence === 'open'
    }
  }

  #readHead(): void {
    if (this.#head === '') {
      const visible = this.#kept.slice({ start: this.#start, end: this.#length }).trimStart()
      this.#start = this.#length - visible.length
      this.#kept.dropTo(this.#start)
    }
    this.#head = this.#kept.slice({ start: this.#start, end: this.#start + longestMark })
  }

  #startPlain(): boolean {
    this.#plain = new CallText((text) => mayBeCalls(text, this.#tools))
    return this.#plain.push(this.#kept.slice({ start: this.#start, end: this.#length }))
  }

  /** Whether a fence holds calls, may do so while it is open, or neither. */
  #lookAtFence(): 'calls' | 'open' | 'none' {
    const { openFence, decided, codeBlocks } = this.#reader
    if (openFence?.start === this.#start) return this.#lookInside(openFence.contentSpan.start, decided)
    const block = codeBlocks[this.#fences]
    if (block?.span.start !== this.#start)
      return this.#start >= decided && /^(?:`{1,2}$|```|~{1,2}$|~~~)/.test(this.#head) ? 'open' : 'none'
    if (!block.closed || readFencedCalls(block.content, this.#tools) === undefined) return 'none'
    this.#fences++
    this.#start = block.span.end
    this.#head = ''
    this.#content = undefined
    this.#kept.dropTo(this.#start)
    return 'calls'
  }

  #lookInside(contentStart: number, end: number): 'open' | 'none' {
    if (this.#content === undefined) {
      this.#content = new CallText((text) => mayBeFencedCalls(text, this.#tools))
      this.#nextLine = contentStart
    }
    if (end > this.#nextLine) {
      this.#content.push(this.#kept.slice({ start: this.#nextLine, end }))
      this.#nextLine = end
      this.#kept.dropTo(end)
    }
    return this.#content.isOpen ? 'open' : 'none'
  }
}

/** Whether a text that is nothing but calls may begin with this one. */
export function mayBeCalls(text: string, tools: CallableTools): boolean {
  let start = withoutPrefix(withoutEnd(text.trimStart(), false))
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

/** Whether the content of a fence with calls, perhaps in marks, may begin with this text. */
export function mayBeFencedCalls(content: string, tools: CallableTools): boolean {
  const start = content.trimStart()
  return start.startsWith('<') ? markAt(start, 0, tools) !== 'none' : mayBeCalls(content, tools)
}

/** Fences with calls have a short tag, if any. */
const longestTag = 60

/** Whether a paragraph or a fence that is nothing but calls may begin with this text. */
export function mayBeUnit(text: string, tools: CallableTools): boolean {
  if (!/^[`~]/.test(text)) return mayBeCalls(text, tools)
  if (/^(?:`{1,2}|~{1,2})$/.test(text)) return true
  const fence = /^(?:`{3,}|~{3,})/.exec(text)?.[0]
  const lineEnd = text.indexOf('\n')
  const tag = text.slice(fence?.length, lineEnd < 0 ? text.length : lineEnd)
  if (fence === undefined || tag.length > longestTag || tag.includes('`')) return false
  const content = lineEnd < 0 ? '' : text.slice(lineEnd + 1)
  // Below words, marks in a fence are shown, not meant.
  if (markAt(content.trimStart(), 0, tools) === 'mark') return false
  const close = content.lastIndexOf('\n') + 1
  return mayBeCalls(/^ {0,3}[`~]+\s*$/.test(content.slice(close)) ? content.slice(0, close) : content, tools)
}
