import { isLetter } from '../../answer/characters.ts'

/** A token so far from the start does not belong to a value without other text: see `scalarAlone` beside `locateJson`. */
const nearStart = 64
const alone = new Set(`"'“/`)
/** What may follow the first word where that is a value or the name of a function. */
const joins = /[\s,(]/
/** What a value or its fence may begin with. */
const marks = /[{[`~]/
const parts = /[\s:>]/
const letter = /\p{L}/u

/** Finds the prose before the JSON of a body: what belongs to no value, however the text goes on, and is set apart from one that follows. */
export class ProseBefore {
  /** Its length. */
  length = 0
  #state: 'start' | 'word' | 'gap' | 'prose' | 'value' = 'start'
  #at = 0
  #wordAt = 0
  /** How many of the last characters are the same mark of a fence, or letters. */
  #marks = 0
  #mark = ''
  #letters = 0
  #hasWords = false
  /** After the last character that sets a value apart. */
  #apart = 0

  /** Takes the next piece of the body. */
  push(piece: string): void {
    if (this.#state === 'prose' && this.#hasWords && !marks.test(piece)) {
      this.#pass(piece)
      return
    }
    for (let index = 0; index < piece.length && this.#state !== 'value'; index++, this.#at++) {
      // Most of prose: letters that say nothing new.
      if (this.#state === 'prose' && this.#hasWords && isLetter(piece.charCodeAt(index))) this.#marks = 0
      else this.#take(piece.charAt(index))
    }
  }

  /** Takes prose in which nothing can begin, as most of it is. */
  #pass(piece: string): void {
    let apart = piece.length
    while (apart > 0 && (isLetter(piece.charCodeAt(apart - 1)) || !parts.test(piece.charAt(apart - 1)))) apart--
    if (apart > 0) this.#apart = this.#at + apart
    this.#at += piece.length
    this.#marks = 0
    this.length = this.#apart
  }

  #take(char: string): void {
    if (this.#beginsValue(char)) this.#state = 'value'
    else if (this.#state !== 'prose') this.#takeLead(char)
    this.#letters = letter.test(char) ? this.#letters + 1 : 0
    this.#hasWords ||= this.#letters === 2
    if (this.#hasWords && parts.test(char)) this.#apart = this.#at + 1
    if (this.#state === 'prose') this.length = this.#apart
  }

  /** A bracket or a fence. */
  #beginsValue(char: string): boolean {
    this.#marks = char === '`' || char === '~' ? (char === this.#mark ? this.#marks + 1 : 1) : 0
    this.#mark = char
    return char === '{' || char === '[' || this.#marks === 3
  }

  /** The first word may be the value, or directly precede it. */
  #takeLead(char: string): void {
    if (this.#state === 'start') {
      if (/\s/.test(char)) return
      this.#wordAt = this.#at
      this.#state = alone.has(char) ? 'value' : 'word'
    } else if (this.#state === 'word') {
      if (/\s/.test(char)) this.#state = 'gap'
    } else if (!joins.test(char)) this.#state = this.#at - this.#wordAt < nearStart ? 'prose' : 'value'
  }
}
