import { AnswerReader } from '../../../answer/reader.ts'
import { KeptText } from '../../shared/kept-text.ts'
import { mayBeJson } from '../json-fault.ts'
import { callTagAt, longestTag } from '../text-calls/call-tags.ts'
import { readFencedCalls, type Tools } from '../text-calls/find.ts'
import { mayBePythonCalls } from '../text-calls/python-calls.ts'
import { CallText } from './call-text.ts'

/** Decides for the start of a body whether all of it may still turn out to be calls: JSON, Python, or fences with them. */
export class CallLead {
  /** Whether it may. */
  isOpen = true
  readonly #tools: Tools
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

  constructor(tools: Tools) {
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
      if (this.#content === undefined && this.#head.length < longestTag) this.#readHead()
      const first = this.#head.charAt(0)
      if (first === '') return true
      if (first === '<') return callTagAt(this.#head, 0) !== 'none'
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
    this.#head = this.#kept.slice({ start: this.#start, end: this.#start + longestTag })
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
export function mayBeCalls(text: string, tools: Tools): boolean {
  const start = text.trimStart()
  if (start === '') return true
  if (/^[[{]/.test(start) && mayBeJson(start)) return true
  return /^[[\p{L}_]/u.test(start) && mayBePythonCalls(start, tools)
}

/** Whether the content of a fence with calls, perhaps in a tag, may begin with this text. */
export function mayBeFencedCalls(content: string, tools: Tools): boolean {
  const start = content.trimStart()
  return start.startsWith('<') ? callTagAt(start, 0) !== 'none' : mayBeCalls(content, tools)
}
