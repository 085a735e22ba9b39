import { detectorCodes, languageCodes, namesOf } from './languages.ts'
import { scripts } from './scripts.ts'

/** Letters have numbers of so many bits, so that three of them fit a small integer. */
const letterBits = 10
const oneLetter = 2 ** letterBits - 1
const threeLetters = 2 ** (3 * letterBits) - 1

/** White space and punctuation between words. */
const space = 1

/** The table of signs has so many places, a power of two and more than twice as many as there are signs. */
const placeBits = 15

/** A sign counts so often in a passage: repeated words say nothing new. */
const mostCounted = 2

/** Letters of ASCII are in every alphabet, and in names from anywhere. */
const lastOfAscii = '\x7f'

/** The number of a word has a bit that those of letters and trigrams do not have. */
const wordBit = 2 ** 30

/** What a frequent word says for its languages, and a letter for those that have it: about as much as three common trigrams. */
const wordGain = 6.5
const letterGain = 6

/** What a trigram says for a language in which it has a rank: frequencies fall with the rank, and a trigram without one counts as a rare one. */
const rareRank = 600
const rankOffset = 12
const gainOf = (rank: number): number => Math.log((rareRank + rankOffset) / (rank + rankOffset))

/** A language in one of its scripts. */
interface Candidate {
  readonly name: string
  /** The number of the script, from 1. */
  readonly script: number
}

/** The frequent trigrams of languages, most frequent first, by script and language. */
type TrigramData = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The frequent words of languages, by code. */
type WordData = Readonly<Record<string, string>>

/** What a passage says so far. */
export interface Sample {
  /** What its words, letters and trigrams say for each candidate. */
  readonly scores: Float64Array
  /** Its weighted letters by script. */
  readonly letters: Uint32Array
  /** How many frequent words of each candidate there are. */
  readonly words: Uint16Array
  /** How often each sign has counted. */
  readonly counts: Uint8Array
  /** All its weighted letters. */
  total: number
  /** The last letters that were read. */
  last: number
  /** The number of the word so far. */
  word: number
}

/** Knows scripts by their letters, and languages of one script by signs: frequent words, letters that others do not have, frequent trigrams. */
export class Detector {
  readonly candidates: readonly Candidate[]
  /** The script of each code unit; 0 for what is not a letter. */
  readonly #scriptOf = new Uint8Array(0x10000)
  readonly #letterOf = new Uint16Array(0x10000)
  readonly #weights = Uint8Array.from([0, ...scripts.map(({ weight }) => weight)])
  /** The number of the sign at each place; 0 when the place is free. */
  readonly #signs = new Int32Array(2 ** placeBits)
  /** Where the gains of the sign at each place begin and end. */
  readonly #first = new Uint16Array(2 ** placeBits)
  readonly #end = new Uint16Array(2 ** placeBits)
  /** Each gain, and the candidate that it is for. */
  readonly #gains: Float64Array
  readonly #gainers: Uint8Array

  constructor(trigrams: TrigramData, words: WordData) {
    for (const [index, { units }] of scripts.entries()) for (const [first, last] of units) this.#scriptOf.fill(index + 1, first, last + 1)
    const candidates: Candidate[] = []
    const known = new Map<number, Map<number, number>>()
    const add = (sign: number, candidate: number, gain: number): unknown =>
      known.get(sign)?.set(candidate, gain) ?? known.set(sign, new Map([[candidate, gain]]))
    for (const [index, { name }] of scripts.entries()) {
      const models = trigrams[name]
      const names = models ? Object.keys(models).filter((one) => detectorCodes.includes(one)) : [name]
      const first = candidates.length
      const letters = new Set<number>()
      for (const one of names) {
        const candidate = candidates.push({ name: one, script: index + 1 }) - 1
        const ranked = models?.[one]?.split('|') ?? []
        const frequent = languageCodes.flatMap((code) => (namesOf(code).includes(one) ? (words[code]?.split(' ') ?? []) : []))
        for (const [rank, trigram] of ranked.entries()) add(this.#keyOf(trigram), candidate, gainOf(rank))
        for (const word of frequent) if (this.#isIn(word, index + 1)) add(this.#wordOf(word), candidate, wordGain)
        for (const letter of [...ranked, ...frequent].join('')) {
          if (letter <= lastOfAscii || !this.#isIn(letter, index + 1)) continue
          add(this.#numberOf(letter), candidate, letterGain)
          letters.add(this.#numberOf(letter))
        }
      }
      // A letter that all of them have says nothing.
      for (const letter of letters) if (known.get(letter)?.size === candidates.length - first) known.delete(letter)
    }
    this.candidates = candidates
    const all = [...known.values()].flatMap((gains) => [...gains])
    this.#gainers = Uint8Array.from(all, ([candidate]) => candidate)
    this.#gains = Float64Array.from(all, ([, gain]) => gain)
    let first = 0
    for (const [key, gains] of known) {
      const place = this.#placeOf(key)
      this.#signs[place] = key
      this.#first[place] = first
      first += gains.size
      this.#end[place] = first
    }
  }

  /** A sample of nothing, or a copy of one. */
  sample(other?: Sample): Sample {
    return {
      scores: other?.scores.slice() ?? new Float64Array(this.candidates.length),
      letters: other?.letters.slice() ?? new Uint32Array(scripts.length + 1),
      words: other?.words.slice() ?? new Uint16Array(this.candidates.length),
      counts: other?.counts.slice() ?? new Uint8Array(2 ** placeBits),
      total: other?.total ?? 0,
      last: other?.last ?? space,
      word: other?.word ?? 0,
    }
  }

  /** Makes a sample say nothing. */
  clear(sample: Sample): void {
    sample.scores.fill(0)
    sample.letters.fill(0)
    sample.words.fill(0)
    sample.counts.fill(0)
    sample.total = 0
    sample.last = space
    sample.word = 0
  }

  /** Adds what the text from `from` on says to a sample, up to so many weighted letters; returns where it stopped. */
  read(text: string, from: number, sample: Sample, most: number): number {
    const { letters } = sample
    let { last, total, word } = sample
    let at = from
    for (; at < text.length && total < most; at++) {
      const code = text.charCodeAt(at)
      const script = this.#scriptOf[code] as number
      if (script === 0) {
        if ((last & oneLetter) === space) continue
        this.#count(word, sample)
        word = 0
        last = ((last << letterBits) | space) & threeLetters
      } else {
        const weight = this.#weights[script] as number
        const letter = this.#letterOf[code] as number
        letters[script] = (letters[script] as number) + weight
        total += weight
        word = nextOfWord(word, letter)
        last = ((last << letterBits) | letter) & threeLetters
        if (code > 127) this.#count(letter, sample)
      }
      this.#count(last, sample)
    }
    sample.last = last
    sample.total = total
    sample.word = word
    return at
  }

  /** Adds what a sign says. */
  #count(sign: number, { scores, words, counts }: Sample): void {
    const place = this.#placeOf(sign)
    if (this.#signs[place] === 0 || counts[place] === mostCounted) return
    counts[place] = (counts[place] as number) + 1
    const end = this.#end[place] as number
    for (let gain = this.#first[place] as number; gain < end; gain++) {
      const candidate = this.#gainers[gain] as number
      scores[candidate] = (scores[candidate] as number) + (this.#gains[gain] as number)
      if (sign >= wordBit) words[candidate] = (words[candidate] as number) + 1
    }
  }

  /** The place of a sign in the table, or the free place where it would be. */
  #placeOf(sign: number): number {
    let place = Math.imul(sign, 0x9e3779b1) >>> (32 - placeBits)
    while (this.#signs[place] !== 0 && this.#signs[place] !== sign) place = (place + 1) & (2 ** placeBits - 1)
    return place
  }

  #letters = space

  #keyOf(trigram: string): number {
    let key = 0
    for (const letter of trigram) key = (key << letterBits) | this.#numberOf(letter)
    return key
  }

  #wordOf(word: string): number {
    let key = 0
    for (const letter of word) key = nextOfWord(key, this.#numberOf(letter))
    return key
  }

  #isIn(text: string, script: number): boolean {
    return this.#scriptOf[text.charCodeAt(0)] === script
  }

  /** The number of a letter, which both cases have. */
  #numberOf(letter: string): number {
    const code = letter.charCodeAt(0)
    if (this.#scriptOf[code] === 0) return space
    if (this.#letterOf[code] === 0) {
      this.#letterOf[code] = ++this.#letters
      const upper = letter.toUpperCase()
      if (upper.length === 1) this.#letterOf[upper.charCodeAt(0)] = this.#letters
    }
    return this.#letterOf[code] as number
  }
}

function nextOfWord(word: number, letter: number): number {
  return (Math.imul(word, 0x01000193) + letter) | wordBit
}

let loading: Promise<Detector> | undefined

/** Loads the detector once: only contracts that check the language pay for it. */
export function loadDetector(): Promise<Detector> {
  loading ??= Promise.all([import('franc/data.js'), import('./frequent-words.ts')]).then(
    ([{ data }, { frequentWords }]) => new Detector(data, frequentWords),
  )
  return loading
}
