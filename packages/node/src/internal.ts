export { Connections } from './services/connections.ts'
export { type Holder, ProcessPool } from './workers/process-pool.ts'
