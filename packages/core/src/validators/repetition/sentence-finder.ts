import type { TokenKind } from '../shared/tokens.ts'
import type { LoopLimits } from './period-finder.ts'

/** Shorter ones, such as items of lists and lines of songs, may well come again. */
const leastTokens = 10
/** So many sentences are remembered. */
const mostSentences = 4096

/** Finds stretches of sentences that were all written before, with new ones of a smaller size between them. */
export class SentenceFinder {
  readonly #limits: LoopLimits
  readonly #seen = new Map<number, number>()
  #hash = 0
  #tokens = 0
  #signs = 0
  #from = 0
  #end = 0
  /** How much more has been repeated than written for the first time. */
  #repeated = 0
  /** From where on sentences are repeated; Infinity when new ones prevail. */
  heldFrom = Number.POSITIVE_INFINITY
  /** Where the sentence starts that was read last. */
  start = 0
  /** The line in which repeated sentences start. */
  line = 1

  constructor(limits: LoopLimits) {
    this.#limits = limits
  }

  /** Takes a token of a sentence. */
  take(hash: number, kind: TokenKind, start: number, end: number): void {
    if (this.#tokens === 0) {
      if (kind === 'sign') return
      this.#from = start
      this.#hash = 0
    }
    this.#end = end
    this.#tokens++
    if (kind === 'sign') this.#signs++
    else this.#hash = Math.imul(this.#hash ^ hash, 0x5bd1e995) ^ (this.#hash >>> 13)
  }

  /** Ends a sentence or a line; returns whether that makes it certain that sentences are repeated. */
  close(line: number): boolean {
    const length = this.#end - this.#from
    const isSentence = this.#tokens >= leastTokens && this.#signs * 3 <= this.#tokens
    this.#tokens = 0
    this.#signs = 0
    if (!isSentence) return false
    this.start = this.#from
    const times = (this.#seen.get(this.#hash) ?? 0) + 1
    // The one that was not read for the longest time is forgotten.
    if (times > 1) this.#seen.delete(this.#hash)
    else if (this.#seen.size >= mostSentences)
      for (const oldest of this.#seen.keys()) {
        this.#seen.delete(oldest)
        break
      }
    this.#seen.set(this.#hash, times)
    if (times < this.#limits.times) {
      this.#repeated = Math.max(0, this.#repeated - length)
      if (this.#repeated === 0) this.heldFrom = Number.POSITIVE_INFINITY
      return false
    }
    if (this.#repeated === 0) {
      this.heldFrom = this.#end
      this.line = line
    }
    this.#repeated += length
    return this.#repeated >= this.#limits.characters
  }

  /** Forgets a sentence that has begun, such as one in code. */
  skip(): void {
    this.#tokens = 0
    this.#signs = 0
  }
}
