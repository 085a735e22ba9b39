import type { Channel } from './metrics-message.ts'

/** Where a worker listens. */
export interface WorkerAddress {
  readonly port: number
  /** Where it answers over gRPC, when it does. */
  readonly grpcPort?: number
}

/** A process that serves beside others on the same port. */
export interface Worker extends Channel {
  /** Calls when it listens everywhere. */
  onListening(listener: (address: WorkerAddress) => void): void
  /** `code` is null when a signal ended it. */
  onExit(listener: (code: number | null) => void): void
  signal(name: 'SIGTERM' | 'SIGHUP' | 'SIGKILL'): void
}

/** Starts workers, or tells that this process is one. */
export interface WorkerPort {
  readonly isWorker: boolean
  /** Starts this command again as a worker, with these arguments. */
  fork(argv: readonly string[]): Worker
  /** The way to the process that started this one; absent where this is no worker. */
  readonly primary?: Channel | undefined
  /** Lets a worker end when its work is done. */
  leave(): void
}
