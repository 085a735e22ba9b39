import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { LinePlace } from '../../journal/segment.ts'
import { codeOf } from '../../store-unavailable.ts'
import { sqliteDatabase } from '../sqlite-database.ts'
import { insertLines } from './insert-lines.ts'
import type { FromThread, ThreadData, ToThread, Written } from './thread-messages.ts'

// Entry file of the thread that writes runs into a SQLite file; only loaded as a thread.
if (parentPort !== null) serve(parentPort, workerData as ThreadData)

function serve(port: MessagePort, { path, busyTimeoutMs, batchRecords }: ThreadData): void {
  let write: ((place: LinePlace) => number) | undefined
  let close = (): void => {}
  const answer = (place: LinePlace): Written => {
    try {
      if (write === undefined) {
        const database = sqliteDatabase(path, { busyTimeoutMs })
        close = () => database.close()
        write = insertLines(database, batchRecords)
      }
      return { written: write(place) }
    } catch (error) {
      const code = codeOf(error)
      return code === undefined ? {} : { code }
    }
  }
  port.on('message', (message: ToThread) => {
    if (message !== 'close') return port.postMessage({ call: message.call, ...answer(message.place) } satisfies FromThread)
    close()
    port.close()
  })
  port.postMessage('ready' satisfies FromThread)
}
