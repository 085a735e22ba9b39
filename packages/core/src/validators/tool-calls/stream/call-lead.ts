import type { CodeBlock } from '../../../answer/outline.ts'
import { AnswerReader } from '../../../answer/reader.ts'
import { callTagAt } from '../text-calls/call-tags.ts'
import { readFencedCalls, type Tools } from '../text-calls/find.ts'
import { mayBeCalls, mayBeFencedCalls } from '../text-calls/may-be-calls.ts'

/** Up to this length every prefix is looked at, of longer texts only those that have grown by a part, so that time stays linear. */
const alwaysLookedAt = 64
const growth = 1.25

/**
 * * Decides for the start of a body whether all of it may still turn out to be calls: JSON, Python, or fences with
 * them.
 *
 * Only prefixes of fixed lengths are read, however the text is cut: the result must not depend on the chunks.
 */
export class CallLead {
  /** Whether it may. */
  isOpen = true
  readonly #tools: Tools
  #text = ''
  #lookAt = 1

  constructor(tools: Tools) {
    this.#tools = tools
  }

  /** Takes the next piece of the body. */
  push(piece: string): void {
    this.#text += piece
    const { length } = this.#text
    if (length < this.#lookAt) return
    let at = Math.max(this.#lookAt, Math.min(length, alwaysLookedAt))
    for (let next = lengthAfter(at); next <= length; next = lengthAfter(at)) at = next
    this.#lookAt = lengthAfter(at)
    // Text that cannot be calls cannot become calls either, so that the longest prefix says enough.
    this.isOpen = this.#look(wholePrefix(this.#text, at))
    if (!this.isOpen) this.#text = ''
  }

  #look(text: string): boolean {
    let reader: AnswerReader | undefined
    let behind = 0
    for (let fences = 0; ; fences++) {
      const rest = text.slice(behind)
      const piece = rest.trimStart()
      const first = piece.charAt(0)
      if (first === '') return true
      if (first === '<') return callTagAt(piece, 0) !== 'none'
      if (first !== '`' && first !== '~') return fences === 0 && mayBeCalls(rest, this.#tools)
      const start = text.length - piece.length
      reader ??= readerOf(text)
      if (reader.openFence?.start === start) return mayBeFencedCalls(reader.openFence.content, this.#tools)
      const block = reader.codeBlocks[fences]
      if (block?.span.start !== start) return start >= reader.decided && /^(?:`{1,2}$|```|~{1,2}$|~~~)/.test(piece)
      if (!this.#holdsCalls(block)) return false
      behind = block.span.end
    }
  }

  #holdsCalls({ content, closed }: CodeBlock): boolean {
    return closed && readFencedCalls(content, this.#tools) !== undefined
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

/** The reader of the stream has seen the whole chunk, which is more than the prefix. */
function readerOf(text: string): AnswerReader {
  const reader = new AnswerReader()
  reader.push(text)
  return reader
}
