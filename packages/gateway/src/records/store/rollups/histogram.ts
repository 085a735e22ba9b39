/** Each bin is 10 % wider than the one before, so its middle is within 5 % of every value in it. */
const growth = 1.1
const smallest = 0.02
const bins = 256
/** Bins are written as letters, which need no separator. */
const firstLetter = 0x100

/** The counts of values by size. */
export type Histogram = Uint32Array

/** A histogram without values. */
export function emptyHistogram(): Histogram {
  return new Uint32Array(bins)
}

/** The bin of a value. */
export function binOf(value: number): number {
  if (!(value > smallest)) return 0
  return Math.min(bins - 1, Math.ceil(Math.log(value / smallest) / Math.log(growth)))
}

/** The middle of a bin. */
function middleOf(bin: number): number {
  return bin === 0 ? 0 : smallest * growth ** (bin - 0.5)
}

/** The value that a share of all values is not above; undefined without values. */
export function percentile(histogram: Histogram, share: number): number | undefined {
  const count = histogram.reduce((sum, one) => sum + one, 0)
  if (count === 0) return undefined
  let left = Math.max(1, Math.ceil(count * share))
  for (let bin = 0; bin < bins; bin++) {
    left -= histogram[bin] ?? 0
    if (left <= 0) return middleOf(bin)
  }
  return undefined
}

/** The bins of a cell, which has few of them. */
export type Bins = Map<number, number>

/** Writes bins as letters, each followed by its count unless that is 1. */
export function writeBins(counts: Bins): string {
  let text = ''
  for (const [bin, count] of counts) text += String.fromCharCode(firstLetter + bin) + (count === 1 ? '' : count)
  return text
}

/** Reads what `writeBins` wrote, and adds it. */
export function readBins(text: string, add: (bin: number, count: number) => void): void {
  let bin = -1
  let count = 0
  for (let index = 0; index <= text.length; index++) {
    const code = index < text.length ? text.charCodeAt(index) : firstLetter
    if (code < firstLetter) {
      count = count * 10 + (code - 48)
      continue
    }
    if (bin >= 0) add(bin, count === 0 ? 1 : count)
    bin = code - firstLetter
    count = 0
  }
}
