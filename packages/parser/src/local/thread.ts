import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadData } from './messages.ts'
import { parseSnippets } from './parse-snippets.ts'

// The entry of a parser thread: it is only ever loaded as one.
if (parentPort !== null) parseSnippets(parentPort, workerData as ThreadData)
