import { mergeMetrics } from './merge-metrics.ts'
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
