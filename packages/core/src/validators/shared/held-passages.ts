import { type Passage, PassageReader } from '../../answer/inline/passages.ts'
import type { Machine, Reading } from '../../contract/machine/machine.ts'

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

/** So much before a passage is looked at. */
const around = 200

/** Judges the passages in which something may have begun, and holds a stream from there to the end of the passage. */
export class HeldPassages implements Machine {
  safe = 0
  readonly #reading: Pick<Reading, 'outline' | 'slice'>
  readonly #beginnings: Beginnings
  readonly #judge: (passage: Passage) => void
  readonly #passages: PassageReader
  /** The end of the text, which may become a beginning. */
  #end = ''
  /** Where something may have begun, and how much was known of the blocks when that was looked at. */
  #from: number | undefined
  #closed = -1
  /** Whether a fence at the margin is open, and no mark has come that may close it. */
  #inFence = false

  constructor(reading: Pick<Reading, 'outline' | 'slice'>, beginnings: Beginnings, judge: (passage: Passage) => void) {
    this.#reading = reading
    this.#beginnings = beginnings
    this.#judge = judge
    this.#passages = new PassageReader((span) => reading.slice(span), beginnings.sign)
  }

  get reach(): number {
    return Math.max(0, this.safe - this.#passages.at) + around
  }

  read(piece: string, at: number, isEnd: boolean): void {
    const length = at + piece.length
    if (isEnd) {
      // A whole answer is read without a look at where something begins.
      if (piece !== '' || this.#from !== undefined) this.#readTo(length, true)
      this.safe = length
      return
    }
    if (this.#inFence && hasFenceMark.test(piece)) this.#inFence = false
    if (this.#from === undefined && !this.#inFence) {
      const end = this.#beginnings.restBehind(this.#end, piece)
      if (end === undefined) {
        const text = this.#end + piece
        this.#begin(text, length - text.length)
      } else this.#end = end
    }
    if (this.#from !== undefined) this.#settle(this.#from, length)
    const safe = this.#from ?? length - this.#end.length
    if (safe > this.safe) this.safe = safe
  }

  /** Finds the first beginning in the end of the text, which starts at an offset. */
  #begin(text: string, start: number): void {
    const found = text.search(this.#beginnings.pattern)
    this.#from = found < 0 ? undefined : start + found
    this.#end = found < 0 ? this.#beginnings.rest(text) : ''
  }

  /** Judges the passages that have ended. */
  #settle(from: number, length: number): void {
    const { outline } = this.#reading
    if (outline.inReasoning) return
    const { closed } = outline
    if (from >= closed) {
      // Until the line that closes it, a fence at the margin holds only code.
      if (outline.marginFence && from >= outline.marginFence.start) {
        this.#from = undefined
        this.#inFence = true
      }
      return
    }
    if (closed === this.#closed) return
    this.#closed = closed
    this.#readTo(closed, false)
    const { at } = this.#passages
    this.#begin(this.#reading.slice({ start: at, end: length }), at)
  }

  #readTo(to: number, isEnd: boolean): void {
    const { outline } = this.#reading
    for (let one = this.#passages.next(outline, to, isEnd); one; one = this.#passages.next(outline, to, isEnd)) this.#judge(one)
  }
}
