import { parentPort } from 'node:worker_threads'
import { performJobs } from './perform-jobs.ts'

// The entry of a judging thread: only ever loaded as one.
if (parentPort !== null) performJobs(parentPort)
