import type { Machine } from '../../contract/machine/machine.ts'
import type { SensitiveFinder, SensitivePlace } from './finder.ts'
import { nothing } from './plain-text.ts'
import { QuietText } from './quiet-text.ts'

/** A longer beginning of an answer is neither a JSON value nor the fence before one. */
const longestHead = 80

/** Finds where a JSON answer has no string, so that the replacement of a number needs quotes; the text is given in order. */
class JsonNumbers {
  #head = ''
  #isJson: boolean | undefined
  #inString = false
  #isEscaped = false

  /** Takes the next part of a text. */
  advance(text: string, start: number, end: number): void {
    if (this.#isJson === undefined) this.#begin(text.slice(start, Math.min(end, start + longestHead)))
    if (this.#isJson === false) return
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at)
      if (code === 34 && !this.#isEscaped) this.#inString = !this.#inString
      this.#isEscaped = code === 92 && !this.#isEscaped
    }
  }

  /** Whether a text at the end of those is a number of JSON. */
  isNumber(text: string): boolean {
    return this.#isJson === true && !this.#inString && /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)
  }

  #begin(text: string): void {
    this.#head += text
    // backtracks: at most 160 characters
    const first = /^\s*(?:`{3,}[\w-]*\s+)?([^\s`])/.exec(this.#head)?.[1]
    if (first !== undefined) this.#isJson = first === '{' || first === '['
    else if (this.#head.length > longestHead) this.#isJson = false
  }
}

/** Up to so many characters are searched again with every chunk; more only now and then. */
const always = 512

/** Letters and digits alone end nothing that has begun: so many of them wait for another character. */
const mostWaiting = 64
const alphanumeric = /^[A-Za-z0-9]+$/

type Finder = Pick<SensitiveFinder, 'find' | 'search' | 'skip'>

/** Takes what is found, its text, and the numbers of JSON up to there. */
export type Report = (place: SensitivePlace, text: string, numbers: JsonNumbers) => void

/** Reports what is sensitive, and holds what may be or become that. */
export class SensitiveMachine implements Machine {
  safe = 0
  readonly #finder: Finder
  readonly #report: Report
  readonly #last: () => void
  /** The text that is not settled. */
  #text = ''
  /** How far the text is settled, and what is before that. */
  #settled = 0
  #before = nothing
  readonly #numbers = new JsonNumbers()
  /** Whether nothing sensitive can have begun in it, and how much of it is certain then. */
  #isQuiet = true
  #certain = 0
  readonly #quiet = new QuietText()
  /** Text behind it that has not been searched. */
  #unread = ''
  /** How much may be searched again at white space: no more than there was text. */
  #credit = 0

  /** `last` is called at the end, before what is left is reported. */
  constructor(finder: Finder, report: Report, last: () => void) {
    this.#finder = finder
    this.#report = report
    this.#last = last
  }

  read(piece: string, _at: number, isEnd: boolean): void {
    if (isEnd) this.#finish(piece)
    else if (this.#isQuiet) this.#follow(piece)
    else if (this.#isDue(piece)) this.#search()
  }

  /** Reads on where nothing has begun. */
  #follow(piece: string): void {
    const certain = this.#quiet.push(piece)
    this.#text += piece
    if (certain === undefined) {
      this.#search()
      return
    }
    if (certain >= 0) this.#certain = this.#text.length - piece.length + certain
    this.safe = this.#settled + this.#certain
    if (this.#certain > always) this.#skip()
  }

  /** Whether the text is searched again with one more piece. */
  #isDue(piece: string): boolean {
    this.#unread += piece
    this.#credit += piece.length
    if (this.#unread.length < mostWaiting && alphanumeric.test(piece)) return false
    // Something long is on its way: to search all of it again for every character would not be linear.
    const searched = this.#text.length
    if (searched <= always || this.#unread.length >= searched / 4) return true
    if (this.#credit < searched || !/\s/.test(piece)) return false
    this.#credit -= searched
    return true
  }

  /** Leaves behind what is certain without a search. */
  #skip(): void {
    if (this.#certain === 0) return
    const text = this.#text.slice(0, this.#certain)
    this.#numbers.advance(text, 0, text.length)
    this.#before = this.#finder.skip(text, this.#before)
    this.#settled += text.length
    this.#text = this.#text.slice(text.length)
    this.#certain = 0
  }

  #search(): void {
    this.#skip()
    const text = this.#text + this.#unread
    this.#unread = ''
    const { places, open, before } = this.#finder.search(text, this.#before)
    this.#take(places, text, open)
    this.#settled += open
    this.#before = before
    this.#text = text.slice(open)
    this.#quiet.reset(before.written)
    this.#isQuiet = this.#quiet.push(this.#text) === -1
    this.safe = this.#settled
  }

  #finish(piece: string): void {
    this.#last()
    const text = this.#text + this.#unread + piece
    this.#take(this.#finder.find(text, this.#before), text, text.length)
  }

  /** Reports what is found in a text of which so much is settled. */
  #take(places: readonly SensitivePlace[], text: string, settled: number): void {
    let at = 0
    for (const { kind, span } of places) {
      const { start, end } = span
      this.#numbers.advance(text, at, start)
      at = start
      const found = { kind, span: { start: this.#settled + start, end: this.#settled + end } }
      this.#report(found, text.slice(start, end), this.#numbers)
    }
    this.#numbers.advance(text, at, settled)
  }
}
