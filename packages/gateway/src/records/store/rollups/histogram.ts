/** Each bin is 10 % wider than the one before, so its middle is within 5 % of every value in it. */
const growth = 1.1
const smallest = 0.02
const bins = 256
/** Bins are written as letters, which need no separator. */
const firstLetter = 0x100

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

  /** Adds pairs of a bin and its count. */
  add(pairs: readonly number[]): void {
    for (let at = 0; at < pairs.length; at += 2) {
      const bin = pairs[at] ?? 0
      this.#counts.set(bin, (this.#counts.get(bin) ?? 0) + (pairs[at + 1] ?? 0))
    }
  }

  /** Pairs of a bin and its count. */
  get pairs(): readonly number[] {
    const pairs: number[] = []
    for (const [bin, count] of this.#counts) pairs.push(bin, count)
    return pairs
  }

  /** The value that a share of all values is not above; undefined without values. */
  percentile(share: number): number | undefined {
    const sorted = [...this.#counts].sort(([a], [b]) => a - b)
    let left = Math.max(1, Math.ceil(sorted.reduce((sum, [, count]) => sum + count, 0) * share))
    for (const [bin, count] of sorted) {
      left -= count
      if (left <= 0) return middleOf(bin)
    }
    return undefined
  }
}

/** Writes pairs of a bin and its count as letters, each followed by its count unless that is 1. */
export function writeBins(pairs: readonly number[]): string {
  let text = ''
  for (let at = 0; at < pairs.length; at += 2)
    text += String.fromCharCode(firstLetter + (pairs[at] ?? 0)) + (pairs[at + 1] === 1 ? '' : pairs[at + 1])
  return text
}

/** Reads what `writeBins` wrote. */
export function readBins(text: string): readonly number[] {
  const pairs: number[] = []
  let count = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code >= firstLetter) {
      pairs.push(code - firstLetter, 1)
      count = 0
    } else {
      count = count * 10 + (code - 48)
      pairs[pairs.length - 1] = count
    }
  }
  return pairs
}
