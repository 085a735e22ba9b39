import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Folded, FromThread, ThreadData, ThreadResult, ToThread } from '../engine/engine.ts'
import { sqliteDatabase } from '../engine/sqlite-database.ts'
import type { LinePlace } from '../journal/segment.ts'
import { codeOf } from '../store-unavailable.ts'
import { insertLines } from './insert-lines.ts'

// Entry file of the thread that writes runs into a SQLite file and adds them to sums; only loaded as a thread.
if (parentPort !== null) serve(parentPort, workerData as ThreadData)

function serve(port: MessagePort, { path, busyTimeoutMs, batchRecords }: ThreadData): void {
  let write: ((place: LinePlace) => number) | undefined
  let folding: Promise<Folding> | undefined
  let close = (): void => {}
  const written = (place: LinePlace): ThreadResult => {
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
  const folded = async (now: number): Promise<ThreadResult> => {
    try {
      folding ??= openFolding(path, busyTimeoutMs).catch((error: unknown) => {
        // The next call tries again.
        folding = undefined
        throw error
      })
      return { folded: await (await folding).step(now) }
    } catch {
      // The caller folds itself then, and reports what fails there.
      return {}
    }
  }
  const answer = async (message: ToThread): Promise<void> => {
    if (message === 'close') {
      close()
      await folding?.then((opened) => opened.close()).catch(() => {})
      port.close()
      return
    }
    const result = 'place' in message ? written(message.place) : await folded(message.fold)
    port.postMessage({ call: message.call, ...result } satisfies FromThread)
  }
  let last: Promise<void> = Promise.resolve()
  port.on('message', (message: ToThread) => {
    // One after another: both write to the same file.
    last = last.then(() => answer(message))
  })
  port.postMessage('ready' satisfies FromThread)
}

/** Adds runs to sums, with a connection of its own. */
interface Folding {
  step(now: number): Promise<Folded>
  close(): Promise<void>
}

/** A step writes the sums of a day again, whatever it adds to them: small steps could not keep up with a bulk. */
const foldedAtOnce = 2000

async function openFolding(path: string, busyTimeoutMs: number): Promise<Folding> {
  // Loaded with the first step, so that a thread that only writes stays small.
  const [{ openSqlite }, { fold }] = await Promise.all([import('../engine/sqlite.ts'), import('../rollups/fold.ts')])
  const engine = await openSqlite(path, { busyTimeoutMs })
  return { step: (now) => fold(engine, now, foldedAtOnce), close: () => engine.close() }
}
