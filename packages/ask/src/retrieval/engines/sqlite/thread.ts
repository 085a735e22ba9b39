import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Call, Failure, FromThread, ThreadData, ToThread } from './messages.ts'
import { Refused } from './refused.ts'
import { SqliteIndex } from './sqlite-index.ts'

// The entry of a thread that reads or writes an index: only ever loaded as one.
if (parentPort !== null) performCalls(parentPort, workerData as ThreadData)

/** Performs the calls that come through a port, one after the other. */
function performCalls(port: MessagePort, { path, collection, cancelled }: ThreadData): void {
  const index = new SqliteIndex(path, collection)
  const flag = new Int32Array(cancelled)
  port.on('message', (message: ToThread) => {
    if ('close' in message) {
      index.close()
      port.close()
      return
    }
    const { id, call } = message
    let said: FromThread
    try {
      said = { id, result: perform(index, call, () => Atomics.load(flag, 0) === id) }
    } catch (error) {
      said = { id, failure: describe(error) }
    }
    port.postMessage(said)
  })
}

function perform(index: SqliteIndex, call: Call, isCancelled: () => boolean): unknown {
  switch (call[0]) {
    case 'searchText':
      return index.searchText(call[1], call[2])
    case 'searchVector':
      return index.searchVector(call[1], call[2], call[3])
    case 'fingerprints':
      return index.fingerprints(call[1])
    case 'facts':
      return index.facts()
    case 'replace':
      return index.replace(call[1], isCancelled)
    case 'remove':
      return index.remove(call[1], isCancelled)
  }
}

function describe(error: unknown): Failure {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) }
  if (error instanceof Refused) return { problem: message, kind: 'configuration', ...(error.codes && { codes: error.codes }) }
  return { problem: message, kind: name === 'UnusableFile' ? 'file' : 'crash' }
}
