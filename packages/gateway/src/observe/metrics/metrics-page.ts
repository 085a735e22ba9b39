import { AggregatorRegistry } from 'prom-client'
import type { Metrics, MetricsSnapshot } from './metrics.ts'

/** Gives the metrics of the other workers that serve on the same port, as far as they can be had, and those of workers that died; it is told one's own. */
export type OtherMetrics = (own: MetricsSnapshot) => Promise<readonly MetricsSnapshot[]>

/** What Prometheus is shown: one process, or all workers as one, whichever of them was asked. */
export function metricsPage(own: Metrics, others: OtherMetrics | undefined): Pick<Metrics, 'render' | 'contentType'> {
  if (others === undefined) return own
  return {
    contentType: own.contentType,
    async render() {
      const mine = await own.snapshot()
      return mergeMetrics([mine, ...(await others(mine))])
    },
  }
}

/** What only ever grows, of several workers as one: what is left of them when they are gone. */
export async function mergeCounters(snapshots: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> {
  const growing = snapshots.map((snapshot) => snapshot.filter(({ type }) => /^(?:counter|histogram)$/.test(String(type))))
  return AggregatorRegistry.aggregate(growing).getMetricsAsJSON()
}

/** Renders the metrics of several workers as one: counters, histograms and gauges are summed. */
export async function mergeMetrics(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate(snapshots.map((snapshot) => [...snapshot])).metrics()
}
