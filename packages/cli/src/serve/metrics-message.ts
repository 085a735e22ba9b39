import type { MetricsSnapshot } from '@stickler/gateway'

/** A way to another process. */
export interface Channel {
  /** Sends, or does nothing when the other side has gone. */
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
}

/** What workers and the process that started them tell each other about metrics. */
export type MetricsMessage =
  /** A worker wants those of the others, and tells its own. */
  | { readonly metrics: 'want'; readonly id: number; readonly snapshot?: MetricsSnapshot }
  /** A worker is asked for its own. */
  | { readonly metrics: 'ask'; readonly id: number }
  /** A worker tells its own. */
  | { readonly metrics: 'tell'; readonly id: number; readonly snapshot: MetricsSnapshot }
  /** A worker gets those of the others. */
  | { readonly metrics: 'give'; readonly id: number; readonly snapshots: readonly MetricsSnapshot[] }

/** Tells such messages from all others. */
export function isMetricsMessage(message: unknown): message is MetricsMessage {
  return typeof message === 'object' && message !== null && 'metrics' in message && 'id' in message
}
