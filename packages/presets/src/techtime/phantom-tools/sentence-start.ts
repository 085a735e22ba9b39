import { Sentences } from '@stickler/core/internal/validators'

/** Finds where the sentence starts that is being read: behind the one before it, or with the line, unless a line goes on with a letter. */
export class SentenceStart {
  at = 0
  /** How much of the text has been read. */
  length = 0
  #sentences = new Sentences()
  #wordStart = 0
  /** Where the line starts, until it has something visible. */
  #lineStart: number | undefined = 0

  /** Takes the next piece of text. */
  push(text: string): void {
    for (const character of text) this.#take(character)
  }

  #take(character: string): void {
    const isSpace = /\s/.test(character)
    // List items, rows of a table and fences start with a mark or a number.
    if (!isSpace && this.#lineStart !== undefined && !/\p{L}/u.test(character)) this.#restart(this.#lineStart)
    const { count } = this.#sentences
    this.#sentences.push(character)
    // The first sentence of a block starts with the block.
    if (this.#sentences.count > count && count > 0) this.at = this.#lineStart ?? this.#wordStart
    this.length += character.length
    if (/[\s。！？।॥؟۔]/.test(character)) this.#wordStart = this.length
    if (character === '\n') this.#lineStart = this.length
    else if (!isSpace) this.#lineStart = undefined
  }

  #restart(at: number): void {
    this.at = at
    this.#sentences = new Sentences()
  }
}
