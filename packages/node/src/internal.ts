export { oneLine } from './grpc/one-line.ts'
export { Connections } from './services/connections.ts'
export {
  isServerError,
  openPostgresPool,
  type PostgresConnection,
  type PostgresConnections,
  type PostgresPoolSettings,
} from './services/postgres-pool.ts'
export { readiness } from './services/readiness.ts'
export { openProcess, openThread, type ThreadChannel } from './workers/channels.ts'
export { type Channel, type ChannelListener, Worker } from './workers/worker.ts'
export {
  type Entering,
  type Kinds,
  type Lease,
  openPlaces,
  type PoolWorker,
  WorkerPool,
  type WorkerPoolSettings,
} from './workers/worker-pool.ts'
