import { AggregatorRegistry } from 'prom-client'
import type { Metrics, MetricsSnapshot } from './metrics.ts'

/**
 * Returns the metrics of the other workers on the same port, as far as available, and those of dead
 * workers; gets one's own.
 */
export type OtherMetrics = (own: MetricsSnapshot) => Promise<readonly MetricsSnapshot[]>

/** The metrics page: one process, or all workers merged, whichever of them replies. */
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

/** Counters of several workers merged, kept when the workers are gone. */
export async function mergeCounters(snapshots: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> {
  const growing = snapshots.map((snapshot) => snapshot.filter(({ type }) => /^(?:counter|histogram)$/.test(String(type))))
  return AggregatorRegistry.aggregate(growing).getMetricsAsJSON()
}

/** Renders the metrics of several workers as one: counters, histograms and gauges are summed. */
export async function mergeMetrics(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate(snapshots.map((snapshot) => [...snapshot])).metrics()
}
