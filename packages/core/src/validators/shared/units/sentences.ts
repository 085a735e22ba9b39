import { isSpace } from '../../../answer/words.ts'
import { isWordCharacter } from './token-words.ts'
import type { UnitCounter } from './unit-counter.ts'

/** Abbreviations that no sentence ends with, in lower case and without the last full stop. */
const neverLast: ReadonlySet<string> = new Set(
  'mr mrs ms dr prof st sen rep gov gen col capt lt sgt rev hon fr hr e.g i.e cf vs viz approx fig figs eq no nos vol pp p ed eds al z.b d.h u.a bzw ca evtl ggf vgl inkl nr abb tel'.split(
    ' ',
  ),
)

/** Abbreviations that a sentence may end with: it does when a capital letter follows. */
const sometimesLast: ReadonlySet<string> = new Set('etc inc ltd co corp jr sr dept est ave blvd usw usf etw a.m p.m'.split(' '))

/** A longer word is not an abbreviation. */
const longestAbbreviation = 24

/** Ends a sentence for certain, only before a capital letter, or not at all. */
type Ending = 'sure' | 'capital' | 'none'

/**
 * Counts sentences: they end with `.`, `!`, `?` or `…` before white space, with a full stop of a script without spaces, or with a blank line.
 * Abbreviations, initials, and the number of a list item end none.
 */
export class Sentences implements UnitCounter {
  count = 0
  #isOpen = false
  /** What the white space after the last word means. */
  #ending: Ending = 'none'
  /** The word that is being read, up to the mark that ends it. */
  #word = ''
  #mark = ''
  /** Whether the word is the first one of its sentence. */
  #isFirst = true
  #inSpace = true
  #breaks = 0
  #afterReturn = false

  push(text: string, stop = Number.POSITIVE_INFINITY): number | undefined {
    for (let at = 0; at < text.length; at++) {
      const start = at
      const point = text.codePointAt(at) ?? 0
      if (point > 0xffff) at++
      if (point < 0x10000 && isSpace(point)) this.#takeSpace(point)
      else if (this.#takeVisible(point) && this.count >= stop) return start
    }
    return undefined
  }

  #takeSpace(code: number): void {
    if (!this.#inSpace) {
      this.#inSpace = true
      this.#breaks = 0
      this.#ending = this.#isOpen ? endingOf(this.#word, this.#mark, this.#isFirst) : 'none'
      if (this.#word !== '') this.#isFirst = false
      this.#word = ''
      this.#mark = ''
      if (this.#ending === 'sure') this.#close()
    }
    if (code === 13 || (code === 10 && !this.#afterReturn)) this.#breaks++
    this.#afterReturn = code === 13
    if (this.#breaks >= 2) this.#close()
  }

  /** Takes a character that is visible; returns whether a sentence begins with it. */
  #takeVisible(point: number): boolean {
    this.#inSpace = false
    this.#afterReturn = false
    if (!isWordCharacter(point)) {
      this.#takeMark(point)
      return false
    }
    if (this.#ending === 'capital' && startsCapital(point)) this.#close()
    this.#ending = 'none'
    if (this.#mark !== '') this.#extend(this.#mark)
    this.#mark = ''
    this.#extend(String.fromCodePoint(point))
    if (this.#isOpen) return false
    this.#isOpen = true
    this.#isFirst = true
    this.count++
    return true
  }

  #takeMark(point: number): void {
    // 。！？।॥؟۔ end a sentence without white space.
    if (isFullStop(point)) this.#close()
    else if (point === 46 || point === 33 || point === 63 || point === 0x2026)
      this.#mark = (this.#mark + String.fromCodePoint(point)).slice(-2)
    // Closing quotes and brackets, and marks of emphasis, may occur after the mark that ends a sentence.
    else if (this.#mark !== '' && !isCloser(point)) {
      this.#extend(this.#mark)
      this.#mark = ''
    }
  }

  #extend(piece: string): void {
    if (this.#word.length <= longestAbbreviation) this.#word += piece
  }

  #close(): void {
    this.#isOpen = false
    this.#ending = 'none'
    this.#word = ''
    this.#mark = ''
  }
}

function endingOf(word: string, mark: string, isFirst: boolean): Ending {
  if (mark === '') return 'none'
  const last = mark.slice(-1)
  if (last === '!' || last === '?') return 'sure'
  if (mark === '..' || last === '…') return 'capital'
  const name = word.toLowerCase()
  if (neverLast.has(name) || /^\p{L}$/u.test(name) || (isFirst && /^\d+$/.test(name))) return 'none'
  return sometimesLast.has(name) || /^(?:\p{L}\.)+\p{L}$/u.test(name) ? 'capital' : 'sure'
}

function startsCapital(point: number): boolean {
  const character = String.fromCodePoint(point)
  return character.toLowerCase() !== character
}

function isFullStop(point: number): boolean {
  return [0x3002, 0xff01, 0xff1f, 0x964, 0x965, 0x61f, 0x6d4].includes(point)
}

function isCloser(point: number): boolean {
  return point < 128 ? [34, 39, 41, 42, 93, 96].includes(point) : [0x201d, 0x2019, 0xbb, 0x201c].includes(point)
}
