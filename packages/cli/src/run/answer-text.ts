import type { Output } from '../output.ts'
import { printableLines } from '../terminal/printable.ts'

/** Writes an answer as it comes: byte for byte into pipes and files, with control characters escaped on a terminal. */
export class AnswerText {
  readonly #output: Output
  /** On a terminal, a CR at the end of a piece waits for the LF that may follow. */
  #held = ''
  #lastCharacter = '\n'

  constructor(output: Output) {
    this.#output = output
  }

  /** Tells whether the last line on the screen is still open, and takes it for closed from now on: the caller closes it. */
  closeLine(): boolean {
    const isOpen = this.#lastCharacter !== '\n'
    this.#lastCharacter = '\n'
    return isOpen
  }

  /** Writes the next piece. */
  async write(piece: string): Promise<void> {
    if (piece === '') return
    this.#lastCharacter = piece.slice(-1)
    if (!this.#output.isTerminal) return this.#output.write(piece)
    const text = this.#held + piece
    this.#held = text.endsWith('\r') ? '\r' : ''
    await this.#show(this.#held === '' ? text : text.slice(0, -1))
  }

  /** Ends the text, and its last line. */
  async end(): Promise<void> {
    await this.#show(this.#held)
    this.#held = ''
    if (this.closeLine()) await this.#output.write('\n')
  }

  async #show(text: string): Promise<void> {
    await this.#output.write(printableLines(text.replaceAll('\r\n', '\n')))
  }
}
