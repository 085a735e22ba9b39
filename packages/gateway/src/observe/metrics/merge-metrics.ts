import { AggregatorRegistry } from 'prom-client'
import type { MetricsSnapshot } from './metrics.ts'

/** What only ever grows, of several workers as one: what is left of them when they are gone. */
export async function mergeCounters(snapshots: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> {
  const growing = snapshots.map((snapshot) => snapshot.filter(({ type }) => /^(?:counter|histogram)$/.test(String(type))))
  return AggregatorRegistry.aggregate(growing).getMetricsAsJSON()
}

/** Renders the metrics of several workers as one: counters, histograms and gauges are summed. */
export async function mergeMetrics(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate(snapshots.map((snapshot) => [...snapshot])).metrics()
}
