import type { TokenKind } from '../shared/tokens.ts'

/** What counts as a loop. */
export interface LoopLimits {
  /** How often text must be written. */
  readonly times: number
  /** How many characters of it must be repeated. */
  readonly characters: number
}

/** So many tokens that came before make a repetition likely enough to be followed. */
const gramLength = 8
/** Loops whose turns have more tokens are not found. */
const longestPeriod = 4096
const factor = 0x01000193
/** What the oldest token of a gram has been multiplied with. */
const oldestFactor = Array.from({ length: gramLength - 1 }).reduce<number>((product) => Math.imul(product, factor), 1)
/** Code, tables and drawings may repeat this much more. */
const patience = 8
/** So much of a repetition is shown before the rest is held. */
const shown = 64
/** With fewer words, turns that differ in a number are data. */
const leastWords = 6

/** Finds text that is written several times in a row, whatever the length of a turn; numbers may count the turns. */
export class PeriodFinder {
  readonly #limits: LoopLimits
  readonly #hashes = new Int32Array(longestPeriod)
  readonly #exact = new Int32Array(longestPeriod)
  readonly #ends = new Float64Array(longestPeriod)
  readonly #grams = new Int32Array(longestPeriod)
  /** Where each of the last grams ended last, as the number of its last token. */
  readonly #last = new Map<number, number>()
  #count = 0
  #gram = 0
  /** The length of a turn in tokens; 0 when no repetition is being followed. */
  #period = 0
  /** What has been repeated: its tokens, words, numbers that differ, and code. */
  #tokens = 0
  #words = 0
  #different = 0
  #code = 0
  #from = 0
  #end = 0
  /** Where the last word ends that is shown although it is repeated. */
  #shownEnd = 0
  /** The line in which the repetition starts. */
  line = 1

  constructor(limits: LoopLimits) {
    this.#limits = limits
  }

  /** From where on the text repeats what came before; Infinity when it does not, or hardly. */
  get heldFrom(): number {
    return this.#period > 0 && this.#end - this.#from > shown ? this.#shownEnd : Number.POSITIVE_INFINITY
  }

  /** How many characters the last turn has. */
  get turnLength(): number {
    return this.#end - (this.#ends[(this.#count - 1 - this.#period) % longestPeriod] as number)
  }

  /** Takes a token that is not white space; returns whether it makes a loop certain. */
  take(hash: number, kind: TokenKind, end: number, exact: number, isCode: boolean, line: number): boolean {
    const at = this.#count++
    const slot = at % longestPeriod
    const before = this.#period > 0 ? (at - this.#period) % longestPeriod : -1
    if (before >= 0 && this.#hashes[before] === hash) {
      this.#end = end
      if (end - this.#from <= shown) this.#shownEnd = end
      this.#tokens++
      if (kind === 'word') this.#words++
      if (this.#exact[before] !== exact) this.#different++
      if (isCode) this.#code++
    } else this.#period = 0
    const dropped = at < gramLength ? 0 : (this.#hashes[(at - gramLength) % longestPeriod] as number)
    this.#gram = (Math.imul(this.#gram - Math.imul(dropped, oldestFactor), factor) + hash) | 0
    // The oldest gram is forgotten, so that the memory has a fixed size.
    const forgotten = this.#grams[slot] as number
    if (at >= longestPeriod && this.#last.get(forgotten) === at - longestPeriod) this.#last.delete(forgotten)
    this.#hashes[slot] = hash
    this.#exact[slot] = exact
    this.#ends[slot] = end
    this.#grams[slot] = this.#gram
    if (this.#period === 0 && at >= gramLength) this.#follow(at, end, line)
    this.#last.set(this.#gram, at)
    return this.#period > 0 && this.#isLoop()
  }

  #follow(at: number, end: number, line: number): void {
    const last = this.#last.get(this.#gram)
    if (last === undefined || at - last >= longestPeriod) return
    this.#period = at - last
    this.line = line
    this.#from = end
    this.#end = end
    this.#shownEnd = end
    this.#tokens = 0
    this.#words = 0
    this.#different = 0
    this.#code = 0
  }

  #isLoop(): boolean {
    const { times, characters } = this.#limits
    const length = this.#end - this.#from
    const turns = (this.#tokens + gramLength) / this.#period
    if (length < characters || turns < times - 1) return false
    // One number a turn is a counter; several are data.
    if (this.#different > 0 && (this.#different > turns + 1 || this.#words < leastWords * (turns - 1))) return false
    const isProse = this.#words * 2 >= this.#tokens && this.#code * 2 < this.#tokens
    return isProse || (this.#different === 0 && length >= characters * patience)
  }
}
