import { type Passage, PassageReader } from '../../answer/inline/passages.ts'
import type { AnswerReader } from '../../answer/reader.ts'
import { KeptText } from '../../contract/machine/kept-text.ts'

/** How something is found that may begin. */
interface Beginnings {
  /** Without this sign a passage holds nothing. */
  readonly sign: RegExp
  /** Where something may begin. */
  readonly pattern: RegExp
  /** What of the end of a text may become a beginning. */
  rest(text: string): string
  /** The same of such an end with one more piece, quickly; undefined when something may have begun. */
  restBehind(end: string, piece: string): string | undefined
}

const hasFenceMark = /[`~]/

const none: readonly never[] = []

/** Holds a stream from where something may begin to the end of the passage that it is in. */
export class HeldPassages {
  readonly #beginnings: Beginnings
  readonly #kept = new KeptText()
  readonly #passages: PassageReader
  #length = 0
  /** The end of the text, which may become a beginning. */
  #end = ''
  /** Where something may have begun, and how much was known of the blocks when that was looked at. */
  #from: number | undefined
  #closed = -1
  /** Text that is not kept yet. */
  #quiet = ''
  /** Whether a fence at the margin is open, and no mark has come that may close it. */
  #inFence = false

  constructor(beginnings: Beginnings) {
    this.#beginnings = beginnings
    this.#passages = new PassageReader((span) => this.#kept.slice(span), beginnings.sign)
  }

  /** Up to here the text holds nothing that was not handed over. */
  safe = 0

  /** Takes the next piece; returns the passages that have ended, of those in which something may have begun. */
  push(piece: string, reader: AnswerReader): readonly Passage[] {
    this.#quiet += piece
    this.#length += piece.length
    if (this.#inFence && hasFenceMark.test(piece)) this.#inFence = false
    if (this.#from === undefined && !this.#inFence) {
      const end = this.#beginnings.restBehind(this.#end, piece)
      if (end === undefined) {
        const text = this.#end + piece
        this.#begin(text, this.#length - text.length)
      } else this.#end = end
    }
    const passages = this.#from === undefined ? none : this.#read(this.#from, reader)
    this.safe = Math.max(this.safe, this.#from ?? this.#length - this.#end.length)
    return passages
  }

  /** Finds the first beginning in the end of the text, which starts at an offset. */
  #begin(text: string, start: number): void {
    const found = text.search(this.#beginnings.pattern)
    this.#from = found < 0 ? undefined : start + found
    this.#end = found < 0 ? this.#beginnings.rest(text) : ''
  }

  #read(from: number, reader: AnswerReader): readonly Passage[] {
    if (reader.inReasoning) return none
    const { closed } = reader
    if (from >= closed) {
      // Until the line that closes it, a fence at the margin holds only code.
      if (reader.marginFence && from >= reader.marginFence.start) {
        this.#from = undefined
        this.#inFence = true
      }
      return none
    }
    if (closed === this.#closed) return none
    this.#closed = closed
    this.#kept.push(this.#quiet)
    this.#quiet = ''
    const passages: Passage[] = []
    for (let one = this.#passages.next(reader, closed, false); one; one = this.#passages.next(reader, closed, false)) passages.push(one)
    const { at } = this.#passages
    this.#begin(this.#kept.slice({ start: at, end: this.#length }), at)
    this.#kept.dropTo(at)
    return passages
  }
}
