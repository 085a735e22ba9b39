import { foldCase } from '../shared/fold-case.ts'
import { isWordCharacter } from '../shared/units/token-words.ts'

/** What matching needs to know of a character. */
export interface MatchedCharacter {
  /** Its code points after decomposition and case folding; empty when it is skipped. */
  readonly symbols: readonly number[]
  readonly isWord: boolean
  /** Whether it is of a script that writes no spaces between words. */
  readonly isUnspaced: boolean
  /** Whether it changes the character before it, such as an accent of its own. */
  readonly extends: boolean
}

const ignorable = /\p{Default_Ignorable_Code_Point}/u
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const mark = /\p{M}/u
const inherited = /\p{sc=Inherited}/u

/** So many characters are remembered; texts in one language have fewer. */
const mostKnown = 4096

/** The dot that some keyboards write above an i of its own. */
const dotAbove = 0x307

/** Reads characters for matching, and remembers those it has read. */
export class Characters {
  readonly #folds: boolean
  readonly #ascii: MatchedCharacter[] = []
  readonly #known = new Map<number, MatchedCharacter>()

  constructor(caseSensitive: boolean) {
    this.#folds = !caseSensitive
    for (let code = 0; code < 128; code++) this.#ascii.push(this.#read(code))
  }

  /** The character of a code point. */
  of(code: number): MatchedCharacter {
    if (code < 128) return this.#ascii[code] as MatchedCharacter
    const known = this.#known.get(code)
    if (known !== undefined) return known
    if (this.#known.size >= mostKnown) this.#known.clear()
    const read = this.#read(code)
    this.#known.set(code, read)
    return read
  }

  /** The symbols of a whole text. */
  symbolsOf(text: string): number[] {
    const symbols: number[] = []
    for (const character of text) {
      const { symbols: own } = this.of(character.codePointAt(0) ?? 0)
      if (!this.skips(own, symbols.at(-1))) symbols.push(...own)
    }
    return symbols
  }

  /** Whether symbols after another one are left out: invisible, or the second dot of an i. */
  skips(symbols: readonly number[], before: number | undefined): boolean {
    return symbols.length === 0 || (this.#folds && symbols.length === 1 && symbols[0] === dotAbove && before === 0x69)
  }

  #read(code: number): MatchedCharacter {
    const character = String.fromCodePoint(code)
    const isMark = mark.test(character)
    return {
      symbols: ignorable.test(character) ? [] : this.#symbols(character),
      isWord: isWordCharacter(code),
      isUnspaced: unspaced.test(character),
      // Vowels and finals of Hangul that are written apart belong to the syllable before.
      extends: (isMark && inherited.test(character)) || (code >= 0x1160 && code <= 0x11ff),
    }
  }

  #symbols(character: string): number[] {
    const parts = Array.from(character.normalize('NFD'), (part) => (this.#folds ? foldCase(part) : part).codePointAt(0) ?? 0)
    return this.#folds && parts.length === 2 && parts[0] === 0x69 && parts[1] === dotAbove ? [0x69] : parts
  }
}
