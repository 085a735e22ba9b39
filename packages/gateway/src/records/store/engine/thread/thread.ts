import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { codeOf } from '../../store-unavailable.ts'
import { sqliteDatabase } from '../sqlite-database.ts'
import { insertLines } from './insert-lines.ts'
import type { FromThread, ThreadData, ToThread, Written } from './messages.ts'

// The entry of the thread that writes runs into a file of SQLite: only ever loaded as one.
if (parentPort !== null) serve(parentPort, workerData as ThreadData)

function serve(port: MessagePort, { path, busyTimeoutMs, batchRecords }: ThreadData): void {
  let write: ((lines: Uint8Array) => number) | undefined
  let close = (): void => {}
  const answer = (lines: Uint8Array): Written => {
    try {
      if (write === undefined) {
        const database = sqliteDatabase(path, { busyTimeoutMs })
        close = () => database.close()
        write = insertLines(database, batchRecords)
      }
      return { written: write(lines) }
    } catch (error) {
      const code = codeOf(error)
      return code === undefined ? {} : { code }
    }
  }
  port.on('message', (message: ToThread) => {
    if (message !== 'close') return port.postMessage({ call: message.call, ...answer(message.lines) } satisfies FromThread)
    close()
    port.close()
  })
  port.postMessage('ready' satisfies FromThread)
}
