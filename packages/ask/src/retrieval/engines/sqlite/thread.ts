import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadData } from './messages.ts'
import { performCalls } from './perform-calls.ts'

// The entry of a thread that reads or writes an index: only ever loaded as one.
if (parentPort !== null) performCalls(parentPort, workerData as ThreadData)
