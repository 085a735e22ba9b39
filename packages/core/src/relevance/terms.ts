import { wholeEnd } from '../answer/characters.ts'
import { stemWord } from './stem/index.ts'

const runs = /[\p{L}\p{M}\p{N}_]+/gu

/** Longer runs of letters are read in pieces: to normalise marks that follow each other takes quadratic time. */
const longestRun = 512

/** The words of a text as they are written, identifiers in one piece; a genitive without its s. */
export function* words(text: string): Generator<string> {
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (run.length === 1 && (run === 's' || run === 'S') && isApostrophe(text.charCodeAt(index - 1))) continue
    if (run.length <= longestRun) yield run
    else for (let at = 0; at < run.length; at += longestRun) yield run.slice(at, at + longestRun)
  }
}

function isApostrophe(code: number): boolean {
  return code === 39 || code === 0x2019
}

const accents = /[\u0300-\u036f]/g

/** A word in small letters without accents, so that it does not matter whether they were typed. */
export function fold(word: string): string {
  let plain = true
  for (let at = 0; at < word.length && plain; at++) plain = word.charCodeAt(at) < 128
  return plain ? word : word.normalize('NFD').replace(accents, '').normalize('NFC').replaceAll('ß', 'ss').replaceAll('ς', 'σ')
}

/** Changes whenever `terms` returns something else for any text: terms stored under another version must be rebuilt. */
export const termsVersion = 2

/** Terms are cut to this length. */
const longestTerm = 64

const seams = /_|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
const mixed = /_|[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u
/** In the plural: `APIs`, which has no seam. */
const abbreviations = /^(\p{Lu}{2,})s$/u
const lettersWithNumber = /^(\p{L}{3,})(\p{N}+)$/u
const numbers = /\p{N}/u
const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const notInTerms = /[^\p{L}\p{M}\p{N}]+/gu

/**
 * The terms of a text, in order: words in lower case, without accents, stemmed; of an identifier its parts and the
 * whole.
 * A word always has the same terms, so that terms of a question can be looked up among those stored for a document.
 */
export function terms(text: string): string[] {
  const found: string[] = []
  for (const word of words(text)) addTerms(word, found)
  return found
}

/** The terms of one word, as `words` gives it. */
export function wordTerms(word: string): string[] {
  const found: string[] = []
  addTerms(word, found)
  return found
}

function addTerms(run: string, found: string[]): void {
  // Most words are plain: small letters without accents, or with a capital first.
  if (/^[A-Za-z]?[a-z]*$/.test(run)) {
    add(stemWord(run.toLowerCase()), found)
    return
  }
  const word = run.normalize('NFKC').replace(notInTerms, '_').replace(abbreviations, '$1')
  const parts = mixed.test(word) ? word.split(seams).filter((part) => part !== '') : [word]
  for (const part of parts) addPart(part.toLowerCase(), found)
  if (parts.length > 1) add(fold(parts.join('').toLowerCase()), found)
}

/** A word or a number, or the part of an identifier. */
function addPart(part: string, found: string[]): void {
  const [, letters = '', number = ''] = lettersWithNumber.exec(part) ?? []
  if (ideographs.test(part)) addPairs(part, found)
  else if (number === '') add(fold(numbers.test(part) ? part : stemWord(part)), found)
  else for (const term of [fold(stemWord(letters)), number, fold(part)]) add(term, found)
}

/** Writing without spaces is given as overlapping pairs of characters. */
function addPairs(part: string, found: string[]): void {
  const [first = '', ...others] = part
  if (others.length === 0) add(first, found)
  let before = first
  for (const character of others) {
    add(before + character, found)
    before = character
  }
}

function add(term: string, found: string[]): void {
  if (term !== '') found.push(term.length > longestTerm ? cut(term) : term)
}

/** Never between the halves of a character. */
function cut(term: string): string {
  return term.slice(0, wholeEnd(term, longestTerm))
}
