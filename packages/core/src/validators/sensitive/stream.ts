import type { Certificate } from '../../contract/certificate.ts'
import type { IssueDraft } from '../../contract/issue.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import type { SensitiveFinder, SensitivePlace } from './finder.ts'
import { JsonNumbers } from './json-numbers.ts'

/** Text before what is looked at, which tells whether something begins there. */
const context = 80

/** Up to so many characters are searched again with every chunk; more only now and then. */
const always = 512

/** What becomes of a place. */
export interface PlaceWords {
  /** The change, when changes are made on the way. */
  edit?: (place: SensitivePlace, before: string, numbers: JsonNumbers) => Certificate
  issue(place: SensitivePlace, line: number): IssueDraft<'SENSITIVE'>
  /** Whether no repair may take it out. */
  readonly isFinal: boolean
}

/** Holds what may be or become something sensitive, and hands over its removal; fails where it may not be removed. */
export class SensitiveStream implements IncrementalCheck<'SENSITIVE'> {
  readonly #finder: SensitiveFinder
  readonly #words: PlaceWords
  /** The end of the text, from a little before `#settled` on. */
  #text = ''
  /** Where `#text` starts, and how far the text is settled. */
  #start = 0
  #settled = 0
  #line = 1
  readonly #numbers = new JsonNumbers()
  /** The length of what was searched last and stayed open. */
  #searched = 0
  /** Chunks that have not been searched. */
  #unread: string[] = []
  #unreadLength = 0
  #failed: Progress<'SENSITIVE'> | undefined

  constructor(finder: SensitiveFinder, words: PlaceWords) {
    this.#finder = finder
    this.#words = words
  }

  push(chunk: string): Progress<'SENSITIVE'> {
    if (this.#failed) return this.#failed
    this.#unread.push(chunk)
    this.#unreadLength += chunk.length
    // Something long is on its way: to search all of it again for every character would not be linear.
    const waits = this.#searched > always && this.#unreadLength < this.#searched / 4 && !/\s/.test(chunk)
    return waits ? { safe: this.#settled } : this.#search()
  }

  #search(): Progress<'SENSITIVE'> {
    this.#text += this.#unread.join('')
    this.#unread = []
    this.#unreadLength = 0
    const from = this.#settled - this.#start
    let open = this.#finder.open(this.#text, from)
    const edits: Certificate[] = []
    let at = from
    for (const place of this.#finder.find(this.#text, from)) {
      const { start, end } = place.span
      if (end > open) {
        open = Math.min(open, start)
        break
      }
      const found = { ...place, span: { start: this.#start + start, end: this.#start + end } }
      this.#line += breaksIn(this.#text, at, start)
      this.#numbers.advance(this.#text, at, start)
      at = start
      if (this.#words.edit === undefined) return this.#fail(found)
      edits.push(this.#words.edit(found, this.#text.slice(start, end), this.#numbers))
    }
    this.#line += breaksIn(this.#text, at, open)
    this.#numbers.advance(this.#text, at, open)
    this.#settled = this.#start + open
    this.#searched = this.#text.length - open
    const kept = this.#finder.before(this.#text, open, context)
    this.#text = this.#text.slice(kept)
    this.#start += kept
    return edits.length > 0 ? { safe: this.#settled, edits } : { safe: this.#settled }
  }

  #fail(place: SensitivePlace): Progress<'SENSITIVE'> {
    const { issue, isFinal } = this.#words
    const { start, end } = place.span
    this.#failed = { safe: start, failure: { at: end, issues: [issue(place, this.#line)], ...(isFinal && { final: true }) } }
    return this.#failed
  }
}

/** How many line breaks a part of a text has; one of two characters counts where it begins. */
export function breaksIn(text: string, start: number, end: number): number {
  let count = 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === 13 || (code === 10 && text.charCodeAt(at - 1) !== 13)) count++
  }
  return count
}
