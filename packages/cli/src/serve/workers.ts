import type { Channel } from './metrics-message.ts'

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
