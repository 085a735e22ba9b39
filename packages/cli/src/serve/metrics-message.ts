import type { MetricsSnapshot } from '@stickler/gateway'

/** A channel to another process. */
export interface Channel {
  /** Sends, or does nothing when the other side is gone. */
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
}

/** Messages about metrics between workers and their parent process. */
export type MetricsMessage =
  /** A worker sends its own metrics and requests those of the others. */
  | { readonly metrics: 'want'; readonly id: number; readonly snapshot?: MetricsSnapshot }
  /** The parent requests a worker's metrics. */
  | { readonly metrics: 'ask'; readonly id: number }
  /** A worker sends its own metrics. */
  | { readonly metrics: 'tell'; readonly id: number; readonly snapshot: MetricsSnapshot }
  /** A worker receives the metrics of the others. */
  | { readonly metrics: 'give'; readonly id: number; readonly snapshots: readonly MetricsSnapshot[] }

/** Recognizes these messages. */
export function isMetricsMessage(message: unknown): message is MetricsMessage {
  return typeof message === 'object' && message !== null && 'metrics' in message && 'id' in message
}
