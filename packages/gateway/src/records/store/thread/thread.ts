import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { systemCode } from '@stickler/core/internal'
import type { Engine } from '../engine/engine.ts'
import type { FromThread, ThreadData, ThreadResult, ThreadTask, ToThread } from '../engine/records-thread.ts'
import { openSqlite } from '../engine/sqlite.ts'
import { linesIn } from '../journal/segment.ts'
import { fold } from '../rollups/fold.ts'
import { readEntry, tableRows } from '../rows/entry.ts'

/** A step writes the sums of a day again, whatever it adds to them: small steps could not keep up with a bulk. */
const foldedAtOnce = 2000

/** The garbage of a part fits into the small heap of the thread. */
const insertedAtOnce = 256

// Entry file of the thread that writes runs into a SQLite file and adds them to sums; only loaded as a thread.
if (parentPort !== null) serve(parentPort, workerData as ThreadData)

function serve(port: MessagePort, { path, busyTimeoutMs }: ThreadData): void {
  let engine: Engine | undefined
  const run = async (task: ThreadTask): Promise<ThreadResult> => {
    try {
      engine ??= await openSqlite(path, { busyTimeoutMs })
      if ('fold' in task) return { folded: await fold(engine, task.fold, foldedAtOnce) }
      const lines = linesIn(task.bytes)
      for (let start = 0; start < lines.length; start += insertedAtOnce)
        await engine.insert(tableRows(lines.slice(start, start + insertedAtOnce).map(readEntry)))
      return { written: lines.length }
    } catch (error) {
      // Values that the database rejects are written line by line elsewhere.
      const code = engine?.isDataError(error) ? undefined : systemCode(error)
      return code === undefined ? {} : { code }
    }
  }
  const answer = async (message: ToThread): Promise<void> => {
    if (message !== 'close') return port.postMessage((await run(message)) satisfies FromThread)
    await engine?.close()
    port.close()
  }
  let last: Promise<void> = Promise.resolve()
  port.on('message', (message: ToThread) => {
    // The file is closed only after what is being written.
    last = last.then(() => answer(message))
  })
  port.postMessage('ready' satisfies FromThread)
}
