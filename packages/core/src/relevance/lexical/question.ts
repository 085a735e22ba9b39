import { terms, words, wordTerms } from '../terms.ts'
import { isRare, wordWeight } from './word-weights.ts'

/** More than a question is made of: of a longer one, only its beginning is looked at. */
const longestQuestion = 8192
const mostTerms = 128

/** Letters that two words have to begin with alike to be of one family. */
export const sharedStart = 4
/** Letters that a part of a compound has at least. */
export const shortestPart = 5
/** Letters of abbreviations that are made of the question's words, and of those in the question. */
const madeLengths = [3, 4, 5]
const spelledOut = /^\p{L}{4,6}$/u

/** What a question asks for: its terms with their weights, and in what other forms they may be met. */
export interface QuestionTerms {
  readonly terms: readonly string[]
  readonly weights: readonly number[]
  readonly weight: number
  readonly index: ReadonlyMap<string, number>
  /** By the letters that they begin with: numbers of terms. */
  readonly byStart: ReadonlyMap<string, readonly number[]>
  /** By what they end with: numbers of terms. */
  readonly byEnd: ReadonlyMap<string, readonly number[]>
  /** By abbreviation: numbers of the terms that it is made of. */
  readonly abbreviations: ReadonlyMap<string, readonly number[]>
  /** Words of the question that may be abbreviations, with the number of their term. */
  readonly initials: readonly (readonly [string, number])[]
  /** The two letters that every word begins with which can be met. */
  readonly starts: ReadonlySet<string>
}

/** A word of the question with the numbers of its terms. */
interface SpokenWord {
  readonly word: string
  readonly numbers: readonly number[]
}

/** Reads what a question asks for. */
export function readQuestion(question: string): QuestionTerms {
  const text = question.slice(0, longestQuestion)
  const all = [...new Set(terms(text))].slice(0, mostTerms)
  const index = new Map(all.map((term, number) => [term, number] as const))
  const weights = all.map(wordWeight)
  const byStart = new Map<string, number[]>()
  const byEnd = new Map<string, number[]>()
  for (const [term, number] of index) {
    if (term.length >= sharedStart) put(byStart, term.slice(0, sharedStart), number)
    for (let at = sharedStart; at <= term.length - shortestPart; at++) put(byEnd, term.slice(at), number)
  }
  const spoken = [...words(text)]
    .slice(0, mostTerms)
    .map((word) => ({ word: word.toLowerCase(), numbers: wordTerms(word).flatMap((term) => index.get(term) ?? []) }))
  const abbreviations = readAbbreviations(spoken, index)
  const initials = spoken.flatMap(({ word, numbers: [number] }) =>
    number !== undefined && spelledOut.test(word) && isRare(all[number] ?? '') ? [[word, number] as const] : [],
  )
  const starts = new Set([...index.keys(), ...byEnd.keys(), ...abbreviations.keys()].map((term) => term.slice(0, 2)))
  // The only words whose stem does not begin as they do: dying, lying, tying.
  for (const letter of 'dlt') if (starts.has(`${letter}i`)) starts.add(`${letter}y`)
  return { terms: all, weights, weight: weights.reduce((sum, one) => sum + one, 0), index, byStart, byEnd, abbreviations, initials, starts }
}

/** What words that follow each other would be abbreviated to, unless that is a usual word. */
function readAbbreviations(spoken: readonly SpokenWord[], index: ReadonlyMap<string, number>): Map<string, readonly number[]> {
  const found = new Map<string, readonly number[]>()
  for (const length of madeLengths) {
    for (let at = 0; at + length <= spoken.length; at++) {
      const group = spoken.slice(at, at + length)
      const [term = ''] = wordTerms(group.map(({ word }) => word.charAt(0)).join(''))
      if (isRare(term) && !index.has(term))
        found.set(
          term,
          group.flatMap(({ numbers }) => numbers),
        )
    }
  }
  return found
}

function put(map: Map<string, number[]>, key: string, number: number): void {
  const there = map.get(key)
  if (there) there.push(number)
  else map.set(key, [number])
}
