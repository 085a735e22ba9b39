import { Counter, type Histogram, type MetricValueWithName, type Registry } from 'prom-client'

/** Records a time in a histogram; ignores an absent one. */
type Observe = (ms: number | undefined) => void

/** What a histogram of times is made with. */
interface TimeHistogramOptions {
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

/** Finds the child of a metric by its label values, without creating it each time. */
type Series<Child> = (first?: string, second?: string, third?: string, fourth?: string) => Child

/** The children whose first values are the same. */
interface Level<Child> {
  readonly deeper: Map<string, Level<Child>>
  child?: Child
}

/**
 * Caches the children of a metric; beyond `most` of them, after many changes of the configuration,
 * all values become `other`.
 */
function keepSeries<Child>(labels: number, make: (values: readonly string[]) => Child, most: number): Series<Child> {
  // One lookup per value is cheaper than a combined key, which would be built and hashed each time.
  const root: Level<Child> = { deeper: new Map() }
  let size = 0
  let rest: Child | undefined
  const add = (values: readonly string[]): Child => {
    if (size >= most) {
      rest ??= make(values.map(() => 'other'))
      return rest
    }
    const made = make(values)
    let level = root
    for (const value of values) {
      const next = level.deeper.get(value) ?? { deeper: new Map() }
      level.deeper.set(value, next)
      level = next
    }
    level.child = made
    size++
    return made
  }
  return (first = '', second = '', third = '', fourth = '') => {
    let level: Level<Child> | undefined = root
    if (labels > 0) level = level.deeper.get(first)
    if (labels > 1) level = level?.deeper.get(second)
    if (labels > 2) level = level?.deeper.get(third)
    if (labels > 3) level = level?.deeper.get(fourth)
    return level?.child ?? add([first, second, third, fourth].slice(0, labels))
  }
}

/** More series of one metric are not kept. */
const mostSeries = 4000
const runSeconds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]
const parserSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const firstTextSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Adds to a counter; anything but a number above zero adds nothing. */
type Add = (by: number) => void

/** Registers counters and timers; each takes its label values in order. */
export function createInstruments(registry: Registry) {
  const registers = [registry]
  const count = (name: string, help: string, labelNames: string[] = []): Series<Add> => {
    const waiting: { readonly labels: Record<string, string>; by: number }[] = []
    new Counter({
      name: `stickler_${name}`,
      help,
      labelNames,
      registers,
      // Every request counts, so this only increments a number; the registry is updated when
      // scraped.
      collect() {
        for (const one of waiting) {
          if (one.by > 0) this.inc(one.labels, one.by)
          one.by = 0
        }
      },
    })
    return keepSeries(
      labelNames.length,
      (values) => {
        const cell = { labels: Object.fromEntries(labelNames.map((label, index) => [label, values[index] ?? ''])), by: 0 }
        waiting.push(cell)
        // A provider's tokens and cost need not be valid numbers.
        return (by) => {
          if (by > 0 && Number.isFinite(by)) cell.by += by
        }
      },
      mostSeries,
    )
  }
  const time = (name: string, help: string, buckets: number[], label: string): Series<Observe> => {
    const histogram = new TimeHistogram({ name: `stickler_${name}`, help, buckets, label })
    // A registry only needs the name and the result of `get`.
    registry.registerMetric(histogram as unknown as Histogram)
    return keepSeries(1, ([value = '']) => histogram.series(value), mostSeries)
  }

  return {
    requests: count('requests_total', 'Finished requests, by outcome.', ['api', 'status_code_class', 'contract', 'outcome']),
    runs: count('runs_total', 'Enforced answers.', ['contract', 'status', 'model']),
    attempts: count('attempts_total', 'Model calls.', ['contract', 'model']),
    retries: count('retries_total', 'Model calls after the first of a run.', ['contract']),
    repairs: count('repairs_total', 'Changes made by repairs.', ['contract', 'rule']),
    issues: count('issues_total', 'Issues that checks found, over all attempts.', ['contract', 'validator', 'code']),
    unchecked: count('unchecked_total', 'Checks that could not run on delivered answers.', ['contract', 'validator']),
    shadows: count('shadow_verdicts_total', 'First answers judged by a shadow contract, by what both contracts made of them.', [
      'contract',
      'shadow_contract',
      'status',
      'shadow_status',
    ]),
    shadowsDropped: count('shadow_dropped_total', 'Answers that a shadow contract did not judge, because too many waited.', [
      'shadow_contract',
    ]),
    tokens: count('tokens_total', 'Tokens over all attempts.', ['contract', 'kind']),
    cost: count('cost_total', 'Money over all attempts, in the currency of the price list.', ['contract']),
    upstreamFailures: count('upstream_failures_total', 'Upstream calls without an answer.', ['upstream', 'kind']),
    parserCalls: count('parser_calls_total', 'Parser calls, by result; open and disabled ones were not sent.', ['result']),
    parserChanges: count('parser_circuit_changes_total', 'State changes of the parser circuit, by the new state.', ['state']),
    parserTime: time('parser_duration_seconds', 'Duration of one parser call.', parserSeconds, 'result'),
    nodes: count('pipeline_nodes_total', 'Pipeline steps.', ['node']),
    degradedNodes: count('pipeline_degraded_total', 'Degraded pipeline steps.', ['node']),
    relevance: count('pipeline_relevance_total', 'Verdicts on whether passages are relevant to their query.', ['strategy', 'verdict']),
    nodeTime: time('pipeline_node_duration_seconds', 'Duration of one pipeline step.', parserSeconds, 'node'),
    runTime: time('run_duration_seconds', 'Duration of a run with all attempts.', runSeconds, 'contract'),
    firstText: time('first_text_seconds', 'Time to the first released text of a stream.', firstTextSeconds, 'contract'),
    upstreamTime: time('upstream_duration_seconds', 'Duration of one upstream call.', runSeconds, 'upstream'),
  }
}
