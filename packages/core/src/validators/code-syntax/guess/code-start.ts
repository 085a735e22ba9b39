import { cutLine, isSkipped, lineEnd, mayBeginCode } from './guess-language.ts'

/** The start of a text that arrives in pieces: whether its first line that is not a comment may begin code. */
export class CodeStart {
  #line = ''
  verdict: 'open' | 'code' | 'prose' = 'open'

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
    if (!isSkipped(this.#line)) this.verdict = mayBeginCode(cutLine(this.#line).trim()) ? 'code' : 'prose'
    else if (isEnded) this.#line = ''
  }
}

const longest = 202
