import { emptyHistogram, type Histogram, percentile } from './histogram.ts'
import type { Cell } from './period.ts'
import { dimensions, type Summed, summed, timed } from './run-facts.ts'

/** Sums over some runs, with percentiles that are within 5 %. */
export type RunTotals = Readonly<Record<Summed, number>> & {
  /** Number of runs by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Percentiles of the duration; absent without runs. */
  readonly p50Ms?: number
  readonly p95Ms?: number
  /** Percentiles of what the gateway added to the last call of a model. */
  readonly addedP50Ms?: number
  readonly addedP95Ms?: number
  /** Median time until the first text of streams. */
  readonly firstTextP50Ms?: number
}

const statusAt = dimensions.indexOf('status')

/** Adds up cells. */
export class Totals {
  readonly #sums = summed.map(() => 0)
  readonly #statuses = new Map<string, number>()
  readonly #times: readonly Histogram[] = timed.map(emptyHistogram)

  get runs(): number {
    return this.#sums[0] ?? 0
  }

  add({ names, sums, times }: Cell): void {
    for (let index = 0; index < sums.length; index++) this.#sums[index] = (this.#sums[index] ?? 0) + (sums[index] ?? 0)
    this.#count(names[statusAt] ?? '', sums[0] ?? 0)
    for (let index = 0; index < times.length; index++) {
      const pairs = times[index] ?? []
      const histogram = this.#times[index]
      if (histogram)
        for (let at = 0; at < pairs.length; at += 2) histogram[pairs[at] ?? 0] = (histogram[pairs[at] ?? 0] ?? 0) + (pairs[at + 1] ?? 0)
    }
  }

  merge(other: Totals): void {
    other.#sums.forEach((value, index) => {
      this.#sums[index] = (this.#sums[index] ?? 0) + value
    })
    for (const [status, runs] of other.#statuses) this.#count(status, runs)
    other.#times.forEach((histogram, index) => {
      const own = this.#times[index]
      if (own) for (const [bin, count] of histogram.entries()) own[bin] = (own[bin] ?? 0) + count
    })
  }

  value(): RunTotals {
    const [ms, added, firstText] = this.#times
    const times = {
      ...{ p50Ms: share(ms, 0.5), p95Ms: share(ms, 0.95), addedP50Ms: share(added, 0.5), addedP95Ms: share(added, 0.95) },
      firstTextP50Ms: share(firstText, 0.5),
    }
    const sums = Object.fromEntries(summed.map((name, index) => [name, this.#sums[index] ?? 0])) as Record<Summed, number>
    const known = Object.fromEntries(Object.entries(times).filter(([, value]) => value !== undefined))
    return { ...sums, statuses: Object.fromEntries(this.#statuses), ...known }
  }

  #count(status: string, runs: number): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + runs)
  }
}

function share(histogram: Histogram | undefined, part: number): number | undefined {
  const found = histogram && percentile(histogram, part)
  return found === undefined ? undefined : Number(found.toPrecision(3))
}
