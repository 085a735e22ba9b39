import { wordCounts } from './word-counts.ts'

/** Half as many passages hold a word with each step of this many levels. */
const levelsPerHalving = 2

/** The level of words that are not in the table: they are in fewer than one of 500 passages, and one of 1000 on average. */
const unknownLevel = 20

/**
 * Below 1, because rare words are not that much more telling: a text on something else is often chosen for the one rare word that it shares with the
 * question. Anything from 0.5 to 1 ranks alike.
 */
const exponent = 0.75

const weights: ReadonlyMap<string, number> = new Map(readLevels(wordCounts))
const unknownWeight = weightOf(unknownLevel)

/** How much a term says about what a text is about: 0 when every text holds it. */
export function wordWeight(term: string): number {
  return weights.get(term) ?? unknownWeight
}

/** Whether a term is in none of the usual texts, so that it is a name, a technical term or an abbreviation. */
export function isRare(term: string): boolean {
  return !weights.has(term)
}

function* readLevels(table: string): Generator<readonly [string, number]> {
  let term = ''
  for (const [, shared = 'A', rest = '', level = 'A'] of table.matchAll(/([A-Z])([a-z\d]*)([A-Z])/g)) {
    term = term.slice(0, shared.charCodeAt(0) - 65) + rest
    yield [term, weightOf(level.charCodeAt(0) - 65)]
  }
}

function weightOf(level: number): number {
  return ((level / levelsPerHalving) * Math.LN2) ** exponent
}
