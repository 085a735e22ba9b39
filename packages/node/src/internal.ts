export { Connections } from './services/connections.ts'
export { readiness } from './services/readiness.ts'
export {
  type Entering,
  type Kinds,
  type Lease,
  openPlaces,
  type PoolWorker,
  WorkerPool,
  type WorkerPoolSettings,
} from './workers/worker-pool.ts'
