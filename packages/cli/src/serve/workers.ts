import type { MetricsSnapshot } from '@stickler/gateway/internal'

/** Where a worker listens. */
export interface WorkerAddress {
  readonly port: number
  /** Its gRPC address, if enabled. */
  readonly grpcPort?: number
}

/** A process that serves the same port as others. */
export interface Worker extends Channel {
  /** Calls back when all its listeners are ready. */
  onListening(listener: (address: WorkerAddress) => void): void
  /** `code` is null when a signal ended it. */
  onExit(listener: (code: number | null) => void): void
  signal(name: 'SIGTERM' | 'SIGHUP' | 'SIGKILL'): void
}

/** Starts workers, or reports that this process is one. */
export interface WorkerPort {
  readonly isWorker: boolean
  /** Starts this command again as a worker, with these arguments. */
  fork(argv: readonly string[]): Worker
  /** The channel to the parent process; absent unless this is a worker. */
  readonly primary?: Channel | undefined
  /** Lets a worker exit when its work is done. */
  leave(): void
}

/** What a worker sends to its parent process when all its listeners are ready. */
export interface ReadyMessage {
  readonly ready: WorkerAddress
}

/** Recognizes these messages. */
export function isReadyMessage(message: unknown): message is ReadyMessage {
  return typeof message === 'object' && message !== null && 'ready' in message
}

/** The ports of a gateway. */
export function addressOf({ url, grpcUrl }: { readonly url: string; readonly grpcUrl?: string }): WorkerAddress {
  return { port: portOf(url), ...(grpcUrl === undefined ? {} : { grpcPort: portOf(grpcUrl) }) }
}

/** The default port of a scheme is omitted from addresses. */
function portOf(url: string): number {
  return Number(/:(\d+)$/.exec(url)?.[1] ?? 80)
}

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
