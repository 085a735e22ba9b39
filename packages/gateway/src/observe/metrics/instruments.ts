import { Counter, type Histogram, type Registry } from 'prom-client'
import { keepSeries, type Series } from './series.ts'
import { type Observe, TimeHistogram } from './time-histogram.ts'

/** More series of one metric are not kept. */
const mostSeries = 4000
const runSeconds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]
const parserSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const firstTextSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Adds to a counter; anything but a number above zero adds nothing. */
export type Add = (by: number) => void

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
