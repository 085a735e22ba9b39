import { breaksIn } from '../../answer/span.ts'
import type { Certificate } from '../../contract/certificate.ts'
import type { IssueDraft } from '../../contract/issue.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import type { SensitiveFinder, SensitivePlace } from './finder.ts'
import { nothing } from './plain-text.ts'
import { QuietText } from './quiet-text.ts'

/** A longer beginning of an answer is neither a JSON value nor the fence before one. */
const longestHead = 80

/** Finds where a JSON answer has no string, so that the replacement of a number needs quotes; the text is given in order. */
export class JsonNumbers {
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

/** What happens to a match. */
interface PlaceWords {
  /** The change, when changes are made on the way. */
  edit?: (place: SensitivePlace, before: string, numbers: JsonNumbers) => Certificate
  issue(place: SensitivePlace, line: number): IssueDraft<'SENSITIVE'>
  /** Whether no repair may take it out. */
  readonly isFinal: boolean
}

/** Holds what may be or become something sensitive, and hands over its removal; fails where it may not be removed. */
export class SensitiveStream implements IncrementalCheck<'SENSITIVE'> {
  readonly #finder: Pick<SensitiveFinder, 'search' | 'skip'>
  readonly #words: PlaceWords
  /** The text that is not settled. */
  #text = ''
  /** How far the text is settled, and what is before that. */
  #settled = 0
  #before = nothing
  #line = 1
  readonly #numbers = new JsonNumbers()
  /** Whether nothing sensitive can have begun in it, and how much of it is certain then. */
  #isQuiet = true
  #certain = 0
  readonly #quiet = new QuietText()
  /** Text behind it that has not been searched. */
  #unread = ''
  /** How much may be searched again at white space: no more than there was text. */
  #credit = 0
  #failed: Progress<'SENSITIVE'> | undefined

  constructor(finder: Pick<SensitiveFinder, 'search' | 'skip'>, words: PlaceWords) {
    this.#finder = finder
    this.#words = words
  }

  push(chunk: string): Progress<'SENSITIVE'> {
    if (this.#failed) return this.#failed
    if (this.#isQuiet) {
      const certain = this.#quiet.push(chunk)
      this.#text += chunk
      if (certain === undefined) return this.#search()
      if (certain >= 0) this.#certain = this.#text.length - chunk.length + certain
      if (this.#certain > always) this.#skip()
      return { safe: this.#settled + this.#certain }
    }
    this.#unread += chunk
    this.#credit += chunk.length
    const searched = this.#text.length
    if (this.#unread.length < mostWaiting && alphanumeric.test(chunk)) return { safe: this.#settled }
    // Something long is on its way: to search all of it again for every character would not be linear.
    if (searched > always && this.#unread.length < searched / 4) {
      if (this.#credit < searched || !/\s/.test(chunk)) return { safe: this.#settled }
      this.#credit -= searched
    }
    return this.#search()
  }

  /** Leaves behind what is certain without a search. */
  #skip(): void {
    if (this.#certain === 0) return
    const text = this.#text.slice(0, this.#certain)
    this.#advance(text, 0, text.length)
    this.#before = this.#finder.skip(text, this.#before)
    this.#settled += text.length
    this.#text = this.#text.slice(text.length)
    this.#certain = 0
  }

  #search(): Progress<'SENSITIVE'> {
    this.#skip()
    const text = this.#text + this.#unread
    this.#unread = ''
    const { places, open, before } = this.#finder.search(text, this.#before)
    const edits: Certificate[] = []
    let at = 0
    for (const place of places) {
      const { start, end } = place.span
      const found = { ...place, span: { start: this.#settled + start, end: this.#settled + end } }
      this.#advance(text, at, start)
      at = start
      if (this.#words.edit === undefined) return this.#fail(found)
      edits.push(this.#words.edit(found, text.slice(start, end), this.#numbers))
    }
    this.#advance(text, at, open)
    this.#settled += open
    this.#before = before
    this.#text = text.slice(open)
    this.#quiet.reset(before.written)
    this.#isQuiet = this.#quiet.push(this.#text) === -1
    return edits.length > 0 ? { safe: this.#settled, edits } : { safe: this.#settled }
  }

  #advance(text: string, start: number, end: number): void {
    const continues = start === 0 && end > 0 && text[0] === '\n' && this.#before.written.endsWith('\r')
    this.#line += breaksIn(text, start, end) - (continues ? 1 : 0)
    this.#numbers.advance(text, start, end)
  }

  #fail(place: SensitivePlace): Progress<'SENSITIVE'> {
    const { issue, isFinal } = this.#words
    const { start, end } = place.span
    this.#failed = { safe: start, failure: { at: end, issues: [issue(place, this.#line)], ...(isFinal && { final: true }) } }
    return this.#failed
  }
}
