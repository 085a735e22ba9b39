import type { HeldText } from '../held-text.ts'
import { mayBeCertain } from './certain-language.ts'
import { cutLine, isSkipped, lineEnd } from './guess-language.ts'

/** The start of a text that arrives in pieces: whether its first line that is not a comment may begin code. */
export class CodeStart {
  readonly #mayBegin: (line: string) => boolean
  #line = ''
  verdict: 'open' | 'code' | 'prose' = 'open'

  constructor(mayBegin: (line: string) => boolean) {
    this.#mayBegin = mayBegin
  }

  /** Takes the next piece of text. */
  push(piece: string): void {
    for (let at = 0; at < piece.length && this.verdict === 'open'; ) {
      const end = lineEnd(piece, at)
      // One character beyond the limit shows that the line continues.
      this.#line = `${this.#line}${piece.slice(at, end)}`.trimStart().slice(0, longest)
      const isEnded = end < piece.length
      if (isEnded || this.#line.length === longest) this.#decide(isEnded)
      at = end + 1
    }
  }

  #decide(isEnded: boolean): void {
    if (!isSkipped(this.#line)) this.verdict = this.#mayBegin(cutLine(this.#line).trim()) ? 'code' : 'prose'
    else if (isEnded) this.#line = ''
  }
}

const longest = 202

/** The start of a block without a tag, from the line of its fence on: whether its first line shows that its language is not certain. */
export class UntaggedStart {
  readonly start: number
  readonly #code = new CodeStart(mayBeCertain)
  #from: number
  #isInside = false

  constructor(start: number) {
    this.start = start
    this.#from = start
  }

  /** Reads what has arrived. */
  read(held: HeldText): void {
    if (this.#code.verdict !== 'open') return
    const text = held.slice({ start: this.#from, end: held.length })
    this.#from = held.length
    const end = this.#isInside ? 0 : lineEnd(text, 0)
    this.#isInside ||= end < text.length
    if (this.#isInside) this.#code.push(text.slice(end))
  }

  /** Whether the block at an offset is this one, and not checked. */
  isProse(start: number): boolean {
    return start === this.start && this.#code.verdict === 'prose'
  }
}
