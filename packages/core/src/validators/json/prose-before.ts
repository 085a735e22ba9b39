import { isLetter } from '../../answer/characters.ts'

/** A token so far from the start does not belong to a value without other text: see `scalarAlone` beside `locateJson`. */
const nearStart = 64
/** What a value begins with, or the last mark of its fence. */
const valueStart = /[{[]|(?<=``)`|(?<=~~)~/
/** Without these, a piece of prose has no part of it. */
const marks = /[{[`~]/
/** What sets a value apart from prose. */
const parts = /[\s:>]/
/** The first word, and the one behind it that shows that the first is neither the value nor the name of a function. */
const firstWords = /^(?!["'“/])\S+\s[\s,(]*(?=[^\s,(])/

/** Finds the prose before the JSON of a body: what belongs to no value, however the text goes on, and is set apart from one that follows. */
export class ProseBefore {
  /** Its length. */
  length = 0
  #at = 0
  /** The text from its first character on, until it is known to be prose. */
  #lead: string | undefined = ''
  /** The last characters: marks of a fence, and letters, count together. */
  #last = ''
  #hasWords = false
  /** After the last character that sets a value apart. */
  #apart = 0
  #isOver = false

  /** Takes the next piece of the body. */
  push(piece: string): void {
    if (this.#isOver) return
    // Most of prose: nothing begins in it, nor at its end.
    const isPlain = this.#lead === undefined && this.#hasWords && !marks.test(piece)
    const text = isPlain ? piece : this.#last + piece
    const end = isPlain ? -1 : text.search(valueStart)
    const prose = end < 0 ? text : text.slice(0, end)
    this.#isOver = end >= 0
    this.#findApart(prose, this.#at + piece.length - text.length)
    if (this.#lead !== undefined) this.#readLead(prose.slice(this.#last.length))
    if (this.#lead === undefined) this.length = this.#apart
    this.#at += piece.length
    this.#last = isPlain ? '' : text.slice(-2)
  }

  #findApart(prose: string, start: number): void {
    const words = this.#hasWords ? 0 : prose.search(/\p{L}{2}/u)
    if (words < 0) return
    this.#hasWords = true
    let at = prose.length
    while (at > words && (isLetter(prose.charCodeAt(at - 1)) || !parts.test(prose.charAt(at - 1)))) at--
    if (at > words) this.#apart = Math.max(this.#apart, start + at)
  }

  #readLead(piece: string): void {
    const lead = this.#lead === '' ? piece.trimStart() : this.#lead + piece
    const word = firstWords.exec(lead)?.[0].length
    if (word !== undefined && word < nearStart) this.#lead = undefined
    else if (lead.length <= nearStart) this.#lead = lead
    else this.#isOver = true
  }
}
