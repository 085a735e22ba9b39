/** Each bin is 10 % wider than the one before, so its middle is within 5 % of every value in it. */
const growth = 1.1
const smallest = 0.02
const bins = 256

/** The bin of a value. */
export function binOf(value: number): number {
  if (!(value > smallest)) return 0
  return Math.min(bins - 1, Math.ceil(Math.log(value / smallest) / Math.log(growth)))
}

/** The middle of a bin. */
function middleOf(bin: number): number {
  return bin === 0 ? 0 : smallest * growth ** (bin - 0.5)
}

/** The counts of values by size. */
export class Histogram {
  readonly #counts = new Map<number, number>()

  /** Adds values of a bin. */
  add(bin: number, count = 1): void {
    this.#counts.set(bin, (this.#counts.get(bin) ?? 0) + count)
  }

  /** Each bin with its count. */
  get bins(): Iterable<readonly [bin: number, count: number]> {
    return this.#counts
  }

  /** The value that a share of all values is not above, with three digits; undefined without values. */
  percentile(share: number): number | undefined {
    const sorted = [...this.#counts].sort(([a], [b]) => a - b)
    let left = Math.max(1, Math.ceil(sorted.reduce((sum, [, count]) => sum + count, 0) * share))
    for (const [bin, count] of sorted) {
      left -= count
      if (left <= 0) return Number(middleOf(bin).toPrecision(3))
    }
    return undefined
  }
}
