import type { Clock } from '@stickler/core'
import type { MetricsSnapshot } from '@stickler/gateway/internal'
import { PendingReplies } from '@stickler/node/internal/replies'
import { type Channel, isMetricsMessage, type MetricsMessage } from './workers.ts'

/** Slightly longer than the parent waits for slow workers. */
const patienceMs = 1500

/** The worker's side: sends its metrics on request, and can request those of the others. */
export interface SharedMetrics {
  /** The metrics of the other workers; empty without a reply in time. */
  others(own?: MetricsSnapshot): Promise<readonly MetricsSnapshot[]>
  /** Answers requests for metrics from now on. */
  tell(own: () => Promise<MetricsSnapshot>): void
}

/** Shares metrics with other workers through the parent process. */
export function shareMetrics(primary: Channel, clock: Clock): SharedMetrics {
  const replies = new PendingReplies<readonly MetricsSnapshot[]>()
  const limit = { clock, timeoutMs: patienceMs }
  let own: (() => Promise<MetricsSnapshot>) | undefined
  const send = (message: MetricsMessage): void => primary.send(message)
  primary.onMessage((message) => {
    if (!isMetricsMessage(message)) return
    const { id } = message
    if (message.metrics === 'give') replies.get(id)?.resolve(message.snapshots)
    // Without a reply, this worker is left out.
    if (message.metrics === 'ask')
      own?.().then(
        (snapshot) => send({ metrics: 'tell', id, snapshot }),
        () => {},
      )
  })
  return {
    others: async (snapshot) =>
      (await replies.askWithin(limit, (id) =>
        send(snapshot === undefined ? { metrics: 'want', id } : { metrics: 'want', id, snapshot }),
      )) ?? [],
    tell(read) {
      own = read
    },
  }
}
