import type { Verdict } from '../verdict.ts'

const wordsOfKey = 4
/** More verdicts are not kept in memory: they are found again by checking. */
const most = 2 ** 22

/** Verdicts by the hash of an answer: 20 bytes for each place, since verdicts repeat and hashes have a fixed length. */
export class VerdictTable {
  #places = 1024
  #keys = new Uint32Array(this.#places * wordsOfKey)
  /** Which verdict, from 1; 0 is an empty place. */
  #values = new Uint32Array(this.#places)
  readonly #verdicts: Verdict[] = []
  readonly #numbers = new Map<string, number>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The verdict on the answer with this hash of 16 bytes. */
  get(key: Uint8Array): Verdict | undefined {
    return this.#verdicts[(this.#values[this.#placeOf(wordsIn(key))] ?? 0) - 1]
  }

  /** Keeps a verdict; the last one counts. */
  set(key: Uint8Array, verdict: Verdict): void {
    if (this.#size * 2 >= this.#places && this.#size < most) this.#grow()
    const words = wordsIn(key)
    const place = this.#placeOf(words)
    if (this.#values[place] === 0) {
      if (this.#size >= most) return
      this.#size++
      this.#keys.set(words, place * wordsOfKey)
    }
    this.#values[place] = this.#numberOf(verdict)
  }

  #numberOf(verdict: Verdict): number {
    const written = JSON.stringify(verdict)
    const known = this.#numbers.get(written)
    if (known !== undefined) return known
    const number = this.#verdicts.push(verdict)
    this.#numbers.set(written, number)
    return number
  }

  #placeOf(words: Uint32Array): number {
    const mask = this.#places - 1
    let place = (words[0] ?? 0) & mask
    while (this.#values[place] !== 0 && !this.#isAt(place, words)) place = (place + 1) & mask
    return place
  }

  #isAt(place: number, words: Uint32Array): boolean {
    const from = place * wordsOfKey
    return words.every((word, at) => this.#keys[from + at] === word)
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values]
    this.#places *= 2
    this.#keys = new Uint32Array(this.#places * wordsOfKey)
    this.#values = new Uint32Array(this.#places)
    for (let place = 0; place < values.length; place++) {
      const value = values[place] ?? 0
      if (value === 0) continue
      const words = keys.subarray(place * wordsOfKey, (place + 1) * wordsOfKey)
      const moved = this.#placeOf(words)
      this.#values[moved] = value
      this.#keys.set(words, moved * wordsOfKey)
    }
  }
}

function wordsIn(key: Uint8Array): Uint32Array {
  const view = new DataView(key.buffer, key.byteOffset, wordsOfKey * 4)
  return Uint32Array.from({ length: wordsOfKey }, (_, at) => view.getUint32(at * 4, true))
}
