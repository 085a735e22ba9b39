import type { TextSpan } from '../../../answer/span.ts'

/** Maps offsets after spans in text order have been cut out. */
export class Shift {
  readonly #cuts: readonly TextSpan[]
  /** How many characters, and how many visible ones, go before each cut. */
  readonly #removed = [0]
  readonly #visible = [0]

  constructor(text: string, cuts: readonly TextSpan[]) {
    this.#cuts = cuts
    for (const { start, end } of cuts) {
      this.#removed.push((this.#removed.at(-1) ?? 0) + end - start)
      this.#visible.push((this.#visible.at(-1) ?? 0) + countVisible(text.slice(start, end)))
    }
  }

  /** The new place of an offset; one inside of a cut is where that was. */
  at(offset: number): number {
    const index = this.#before(offset)
    const inside = Math.max(0, (this.#cuts[index - 1]?.end ?? 0) - offset)
    return offset - (this.#removed[index] ?? 0) + inside
  }

  /** How many visible characters are cut out of a span that holds its cuts whole. */
  lost({ start, end }: TextSpan): number {
    return (this.#visible[this.#before(end)] ?? 0) - (this.#visible[this.#before(start)] ?? 0)
  }

  /** How many cuts start before an offset. */
  #before(offset: number): number {
    let low = 0
    let high = this.#cuts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#cuts[middle]?.start ?? 0) < offset) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** The number of characters that are not white space. */
export function countVisible(text: string): number {
  return text.replace(/\s+/g, '').length
}
