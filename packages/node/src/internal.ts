export { Connections } from './services/connections.ts'
export { readiness } from './services/readiness.ts'
export { type Holder, ProcessPool } from './workers/process-pool.ts'
