import { mergeMetrics } from './merge-metrics.ts'
import type { Metrics, MetricsSnapshot } from './metrics.ts'

/** Gives the metrics of the other workers that serve on the same port, as far as they can be had. */
export type OtherMetrics = () => Promise<readonly MetricsSnapshot[]>

/** What Prometheus is shown: one process, or all workers as one, whichever of them was asked. */
export function metricsPage(own: Metrics, others: OtherMetrics | undefined): Pick<Metrics, 'render' | 'contentType'> {
  if (others === undefined) return own
  return {
    contentType: own.contentType,
    async render() {
      const [mine, theirs] = await Promise.all([own.snapshot(), others()])
      return mergeMetrics([mine, ...theirs])
    },
  }
}
