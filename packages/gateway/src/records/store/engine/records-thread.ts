import { createRequire } from 'node:module'
import { systemClock, waitAtMost } from '@stickler/core/internal'
import { type Channel, type ChannelListener, openThread, Worker, WorkerPool } from '@stickler/node/internal'
import type { Engine, Folded } from './engine.ts'

/** The data that a thread starts with. */
export interface ThreadData {
  readonly path: string
  readonly busyTimeoutMs: number
}

/** What a thread is asked: to write lines of a journal, or to add runs to sums at a time. */
export type ThreadTask = { readonly bytes: Uint8Array } | { readonly fold: number }

/** Result of a task: the number of records now in the database or what adding to sums did, or the error code of the database; empty if the thread cannot do it. */
export interface ThreadResult {
  readonly written?: number
  readonly folded?: Folded
  readonly code?: string
}

/** Messages to a thread: a task, or to close the file and exit. */
export type ToThread = ThreadTask | 'close'

/** Messages from a thread: that it is ready, or the result of its task. */
export type FromThread = 'ready' | ThreadResult

/** Maximum time for a thread to close its file. */
const closeMs = 5000

/** Each batch leaves only garbage, so a small heap is enough. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 }

/** What a thread does for an engine. */
interface OpenThread extends Required<Pick<Engine, 'insertLines' | 'fold'>> {
  /** Ends the thread, with its file closed. */
  close(): Promise<void>
}

/** A thread that writes a SQLite file. It starts with its first task, which does not wait for it, and again after it has ended. */
export function openRecordsThread(data: ThreadData): OpenThread {
  // If the first thread could not start, no other is tried.
  let isPossible = true
  const start = (): RecordsThread => {
    const thread = new RecordsThread(data)
    void thread.ended.then(() => {
      isPossible &&= thread.isReady
    })
    return thread
  }
  const full = (): Error => new Error('too many tasks wait for the thread')
  const pool = new WorkerPool({ workers: 1, queue: Number.POSITIVE_INFINITY, start, full })
  const run = async (task: ThreadTask): Promise<ThreadResult> => {
    if (!isPossible) return {}
    const { worker, leave } = await pool.enter()
    try {
      return worker.isReady ? await worker.run(task) : {}
    } catch {
      // Nothing is known of a task if the thread ends before its answer.
      return {}
    } finally {
      leave()
    }
  }
  return {
    async insertLines(bytes) {
      const { written, code } = await run({ bytes })
      if (code !== undefined) throw Object.assign(new Error(code), { code })
      return written
    },
    fold: async (now) => (await run({ fold: now })).folded,
    close: () => waitAtMost(pool.close(), { clock: systemClock, timeoutMs: closeMs }, () => {}),
  }
}

/** Starts a thread that is never terminated: the SQLite driver aborts the process if its thread is stopped during a call. */
function open(workerData: ThreadData, listener: ChannelListener<FromThread>): Channel<ToThread> {
  // The package name resolves to the built file, both from sources and from a build.
  const entry = createRequire(import.meta.url).resolve('@stickler/gateway/internal/records')
  // Options of the process's own script, such as --input-type, would prevent the thread from starting.
  const options = { name: 'stickler-records', workerData, execArgv: [], resourceLimits }
  const thread = openThread<ToThread, FromThread>(entry, options, listener)
  return { ...thread, stop: () => thread.send('close') }
}

/** A thread with its own connection. */
class RecordsThread extends Worker<ToThread, FromThread> {
  isReady = false

  constructor(data: ThreadData) {
    super(systemClock, (listener) => open(data, listener))
  }

  run(task: ThreadTask): Promise<ThreadResult> {
    return this.ask<ThreadResult>(task)
  }

  protected hear(message: FromThread): void {
    if (message === 'ready') this.isReady = true
    else this.settle(message)
  }

  protected failureOf(): Error {
    return new Error('the thread ended')
  }
}
