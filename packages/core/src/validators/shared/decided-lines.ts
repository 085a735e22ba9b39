import { type Line, LineSplitter } from '../../answer/lines.ts'
import type { Outline } from '../../answer/outline.ts'
import type { AnswerOutline } from '../../answer/reader.ts'
import { ReasoningSkipper } from '../../answer/reasoning.ts'

/** The same list every time: most chunks end no line. */
const none: readonly never[] = []

/** The lines of a stream, each handed over when the reader knows its place in the document. */
export class DecidedLines {
  readonly #reasoning = new ReasoningSkipper()
  #waiting: Line[] = []
  #lines: LineSplitter | undefined
  /** Where the line begins that is not complete. */
  lineStart = 0

  /** The first line that is complete and undecided. */
  get first(): Line | undefined {
    return this.#waiting[0]
  }

  /** The line that is not complete, as far as it is known. */
  get partial(): string {
    return this.#lines?.partial ?? ''
  }

  /** Takes the next chunk and returns the lines that are decided now. */
  push(chunk: string, reader: AnswerOutline): readonly Line[] {
    this.#split(this.#reasoning.push(chunk))
    if (this.#waiting.length === 0) return none
    const waiting = this.#waiting
    const { decided } = reader
    const undecided = (waiting.at(-1)?.next ?? 0) <= decided ? waiting.length : waiting.findIndex(({ next }) => next > decided)
    this.#waiting = waiting.splice(undecided)
    return waiting
  }

  /** Ends the text, of which all is decided, and returns the lines that are left. */
  end(): readonly Line[] {
    this.#split(this.#reasoning.end())
    this.#lines?.end()
    return this.#waiting
  }

  #split(body: string): void {
    if (body === '') return
    this.#lines ??= new LineSplitter((text, start, next) => {
      this.#waiting.push({ text, start, next })
      this.lineStart = next
    }, this.#reasoning.bodyStart)
    this.#lines.push(body)
  }
}

/** The structure of what has been read, of a whole answer or of a stream. */
export interface ReadOutline extends Pick<Outline, 'headings' | 'codeBlocks' | 'listItems' | 'frontMatters'> {
  inFence(offset: number): boolean
}
