import { detectorCodes } from './languages.ts'
import { scripts } from './scripts.ts'

/** Letters have numbers of so many bits, so that three of them fit a small integer. */
const letterBits = 10
const oneLetter = 2 ** letterBits - 1
const threeLetters = 2 ** (3 * letterBits) - 1

/** White space and punctuation between words. */
const space = 1

/** The table of trigrams has so many places, a power of two and twice as many as there are trigrams. */
const placeBits = 14

/** A trigram counts so often in a passage: repeated words say nothing new. */
const mostCounted = 2

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

/** What a passage says so far. */
export interface Sample {
  /** What its trigrams say for each candidate. */
  readonly scores: Float64Array
  /** Its weighted letters by script. */
  readonly letters: Uint32Array
  /** How often each trigram has counted. */
  readonly counts: Uint8Array
  /** All its weighted letters. */
  total: number
  /** The last letters that were read. */
  last: number
}

/** Knows scripts by their letters, and languages of one script by their frequent trigrams. */
export class Detector {
  readonly candidates: readonly Candidate[]
  /** The script of each code unit; 0 for what is not a letter. */
  readonly #scriptOf = new Uint8Array(0x10000)
  readonly #letterOf = new Uint16Array(0x10000)
  readonly #weights = Uint8Array.from([0, ...scripts.map(({ weight }) => weight)])
  /** The trigram at each place; 0 when the place is free. */
  readonly #trigrams = new Int32Array(2 ** placeBits)
  /** Where the gains of the trigram at each place begin and end. */
  readonly #first = new Uint16Array(2 ** placeBits)
  readonly #end = new Uint16Array(2 ** placeBits)
  /** Each gain, and the candidate that it is for. */
  readonly #gains: Float64Array
  readonly #gainers: Uint8Array

  constructor(data: TrigramData) {
    for (const [index, { units }] of scripts.entries()) for (const [first, last] of units) this.#scriptOf.fill(index + 1, first, last + 1)
    const candidates: Candidate[] = []
    const known = new Map<number, [candidate: number, gain: number][]>()
    for (const [index, { name }] of scripts.entries()) {
      const models = data[name]
      const names = models ? Object.keys(models).filter((one) => detectorCodes.includes(one)) : [name]
      for (const one of names) {
        const candidate = candidates.push({ name: one, script: index + 1 }) - 1
        for (const [rank, trigram] of (models?.[one]?.split('|') ?? []).entries()) {
          const key = this.#keyOf(trigram)
          known.set(key, [...(known.get(key) ?? []), [candidate, gainOf(rank)]])
        }
      }
    }
    this.candidates = candidates
    const all = [...known.values()].flat()
    this.#gainers = Uint8Array.from(all, ([candidate]) => candidate)
    this.#gains = Float64Array.from(all, ([, gain]) => gain)
    let first = 0
    for (const [key, gains] of known) {
      const place = this.#placeOf(key)
      this.#trigrams[place] = key
      this.#first[place] = first
      first += gains.length
      this.#end[place] = first
    }
  }

  /** A sample of nothing, or a copy of one. */
  sample(other?: Sample): Sample {
    return {
      scores: other?.scores.slice() ?? new Float64Array(this.candidates.length),
      letters: other?.letters.slice() ?? new Uint32Array(scripts.length + 1),
      counts: other?.counts.slice() ?? new Uint8Array(2 ** placeBits),
      total: other?.total ?? 0,
      last: other?.last ?? space,
    }
  }

  /** Makes a sample say nothing. */
  clear(sample: Sample): void {
    sample.scores.fill(0)
    sample.letters.fill(0)
    sample.counts.fill(0)
    sample.total = 0
    sample.last = space
  }

  /** Adds what the text from `from` on says to a sample, up to so many weighted letters; returns where it stopped. */
  read(text: string, from: number, sample: Sample, most: number): number {
    const { scores, letters, counts } = sample
    let { last, total } = sample
    let at = from
    for (; at < text.length && total < most; at++) {
      const code = text.charCodeAt(at)
      const script = this.#scriptOf[code] as number
      if (script === 0) {
        if ((last & oneLetter) === space) continue
        last = ((last << letterBits) | space) & threeLetters
      } else {
        const weight = this.#weights[script] as number
        letters[script] = (letters[script] as number) + weight
        total += weight
        last = ((last << letterBits) | (this.#letterOf[code] as number)) & threeLetters
      }
      const place = this.#placeOf(last)
      if (this.#trigrams[place] === 0 || counts[place] === mostCounted) continue
      counts[place] = (counts[place] as number) + 1
      const end = this.#end[place] as number
      for (let gain = this.#first[place] as number; gain < end; gain++) {
        const candidate = this.#gainers[gain] as number
        scores[candidate] = (scores[candidate] as number) + (this.#gains[gain] as number)
      }
    }
    sample.last = last
    sample.total = total
    return at
  }

  /** The place of a trigram in the table, or the free place where it would be. */
  #placeOf(trigram: number): number {
    let place = Math.imul(trigram, 0x9e3779b1) >>> (32 - placeBits)
    while (this.#trigrams[place] !== 0 && this.#trigrams[place] !== trigram) place = (place + 1) & (2 ** placeBits - 1)
    return place
  }

  #letters = space

  #keyOf(trigram: string): number {
    let key = 0
    for (const letter of trigram) key = (key << letterBits) | this.#numberOf(letter)
    return key
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

let loading: Promise<Detector> | undefined

/** Loads the detector once: only contracts that check the language pay for it. */
export function loadDetector(): Promise<Detector> {
  loading ??= import('franc/data.js').then(({ data }) => new Detector(data))
  return loading
}
