import type { CodeBlock } from '../../../answer/outline.ts'
import type { AnswerReader } from '../../../answer/reader.ts'
import { callTagAt } from '../text-calls/call-tags.ts'
import { readFencedCalls, type Tools } from '../text-calls/find.ts'
import { mayBeCalls, mayBeFencedCalls } from '../text-calls/may-be-calls.ts'

/** Shorter texts are looked at with every chunk, longer ones when they have grown by a part, so that time stays linear. */
const alwaysLookedAt = 64
const growth = 1.25

/** Tells of the start of a body whether all of it may still turn out to be calls: JSON, Python, or fences with them. */
export class CallLead {
  /** Whether it may. */
  isOpen = true
  readonly #tools: Tools
  readonly #start: number
  #text = ''
  #lookAt = 1
  /** Behind the fences that hold calls. */
  #behind = 0
  #fences = 0

  constructor(tools: Tools, start: number) {
    this.#tools = tools
    this.#start = start
  }

  /** Takes the next piece of the body, which the reader has seen. */
  push(piece: string, reader: AnswerReader): void {
    this.#text += piece
    const { length } = this.#text
    if (length < this.#lookAt) return
    this.#lookAt = length < alwaysLookedAt ? length + 1 : length * growth
    this.isOpen = this.#look(reader)
    if (!this.isOpen) this.#text = ''
  }

  #look(reader: AnswerReader): boolean {
    for (;;) {
      const rest = this.#text.slice(this.#behind)
      const piece = rest.trimStart()
      const first = piece.charAt(0)
      if (first === '') return true
      if (first === '<') return callTagAt(piece, 0) !== 'none'
      if (first !== '`' && first !== '~') return this.#fences === 0 && mayBeCalls(rest, this.#tools)
      const start = this.#start + this.#behind + rest.length - piece.length
      if (reader.openFence?.start === start) return mayBeFencedCalls(reader.openFence.content, this.#tools)
      const block = reader.codeBlocks[this.#fences]
      if (block?.span.start !== start) return start >= reader.decided && /^(?:`{1,2}$|```|~{1,2}$|~~~)/.test(piece)
      if (!this.#holdsCalls(block)) return false
      this.#behind = block.span.end - this.#start
      this.#fences++
    }
  }

  #holdsCalls({ content, closed }: CodeBlock): boolean {
    return closed && readFencedCalls(content, this.#tools) !== undefined
  }
}
