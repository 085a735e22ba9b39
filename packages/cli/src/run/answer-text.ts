import type { Output } from '../terminal/output.ts'
import { printableLines } from '../terminal/printable.ts'

/** Writes an answer as it arrives, with control characters escaped, because a pipe often ends at a terminal too. `raw` keeps them in pipes and files. */
export class AnswerText {
  readonly #output: Output
  readonly #isRaw: boolean
  /** The last unit, if its meaning depends on the next one. */
  #held = ''
  #lastCharacter = '\n'

  constructor(output: Output, { raw }: { readonly raw: boolean }) {
    this.#output = output
    this.#isRaw = raw && !output.isTerminal
  }

  /** Returns whether the last line on screen is still open, and marks it as closed: the caller closes it. */
  closeLine(): boolean {
    const isOpen = this.#lastCharacter !== '\n'
    this.#lastCharacter = '\n'
    return isOpen
  }

  /** Writes the next piece. */
  async write(piece: string): Promise<void> {
    if (piece === '') return
    this.#lastCharacter = piece.slice(-1)
    const text = this.#held + piece
    const isOpen = (this.#isRaw ? openPair : openEnd).test(text)
    this.#held = isOpen ? text.slice(-1) : ''
    await this.#show(isOpen ? text.slice(0, -1) : text)
  }

  /** Ends the text, and its last line. */
  async end(): Promise<void> {
    await this.#show(this.#held)
    this.#held = ''
    if (this.closeLine()) await this.#output.write('\n')
  }

  async #show(text: string): Promise<void> {
    if (this.#isRaw) return this.#output.write(text)
    const end = this.#output.isTerminal ? '\n' : '\r\n'
    await this.#output.write(text.split('\r\n').map(printableLines).join(end))
  }
}

/** Half of a character that takes two units. */
const openPair = /[\ud800-\udbff]$/
/** That, or half of a line break. */
const openEnd = /[\r\ud800-\udbff]$/
