import type { Histogram, MetricValueWithName } from 'prom-client'

/** Records a time in a histogram; ignores an absent one. */
export type Observe = (ms: number | undefined) => void

/** What a histogram of times is made with. */
export interface TimeHistogramOptions {
  readonly name: string
  readonly help: string
  /** Upper ends in seconds, the smallest first. */
  readonly buckets: readonly number[]
  readonly label: string
}

interface Cell {
  readonly value: string
  /** One for each bucket, and one beyond all. */
  readonly counts: number[]
  sum: number
  count: number
}

/**
 * A prom-client histogram as far as a registry needs it; an observation only adds to numbers,
 * because every run has several.
 */
export class TimeHistogram implements Pick<Histogram, 'get'> {
  readonly name: string
  readonly #options: TimeHistogramOptions
  /** In the order of their first times. */
  readonly #seen: Cell[] = []

  constructor(options: TimeHistogramOptions) {
    this.name = options.name
    this.#options = options
  }

  /** Makes the series for a label value; called once for each. */
  series(value: string): Observe {
    const { buckets } = this.#options
    const cell: Cell = { value, counts: Array<number>(buckets.length + 1).fill(0), sum: 0, count: 0 }
    return (ms) => {
      if (ms === undefined || !(ms >= 0) || !Number.isFinite(ms)) return
      const seconds = ms / 1000
      let index = 0
      while (index < buckets.length && seconds > (buckets[index] ?? 0)) index++
      if (cell.count === 0) this.#seen.push(cell)
      cell.counts[index] = (cell.counts[index] ?? 0) + 1
      cell.count++
      cell.sum += seconds
    }
  }

  /** What prom-client renders and merges. */
  async get(): ReturnType<Histogram['get']> {
    const { name, help } = this.#options
    const metric = { name, help, type: 'histogram', values: this.#seen.flatMap((cell) => this.#export(cell)), aggregator: 'sum' }
    // Its types declare an enum and a function that its own metrics lack too.
    return metric as unknown as Awaited<ReturnType<Histogram['get']>>
  }

  #export({ value, counts, sum, count }: Cell): MetricValueWithName<string>[] {
    const { name, buckets, label } = this.#options
    let below = 0
    const ends = buckets.map((end, index) => {
      below += counts[index] ?? 0
      return { value: below, metricName: `${name}_bucket`, labels: { le: end, [label]: value } }
    })
    return [
      ...ends,
      { value: count, metricName: `${name}_bucket`, labels: { le: '+Inf', [label]: value } },
      { value: sum, metricName: `${name}_sum`, labels: { [label]: value } },
      { value: count, metricName: `${name}_count`, labels: { [label]: value } },
    ]
  }
}
