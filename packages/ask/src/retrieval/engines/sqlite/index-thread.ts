import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { systemClock } from '@stickler/core'
import { because } from '@stickler/core/runners'
import { waitAtMost } from '@stickler/core/services'
import { RetrieverUnavailable } from '../../retriever.ts'
import { wrong } from '../checked-documents.ts'
import type { Call, Failure, FromThread, ThreadData, ToThread } from './messages.ts'

/** How long is waited for a thread that closes its file. */
const closeMs = 5000

/** By package name, which resolves to the built file from sources and from a build alike. */
function findEntry(): string {
  return createRequire(import.meta.url).resolve('@stickler/ask/index-thread')
}

interface Running {
  readonly id: number
  readonly resolve: (result: unknown) => void
  readonly reject: (failure: unknown) => void
}

/** One thread with its own connection, which performs one call at a time. */
export class IndexThread {
  /** Settles when the thread has ended. */
  readonly ended: Promise<void>
  readonly #worker: Worker
  readonly #cancelled = new Int32Array(new SharedArrayBuffer(4))
  #running: Running | undefined
  #lastId = 0
  #isOver = false

  constructor(data: Pick<ThreadData, 'path' | 'collection'>) {
    const workerData: ThreadData = { ...data, cancelled: this.#cancelled.buffer as SharedArrayBuffer }
    // Options of the host's own script, such as --input-type, would prevent a thread from starting.
    this.#worker = new Worker(findEntry(), { name: 'stickler-index', workerData, execArgv: [] })
    this.#worker.unref()
    this.#worker.on('message', (message: FromThread) => this.#take(message))
    this.#worker.on('error', (error: unknown) => this.#fail(error instanceof Error ? error.message : String(error)))
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#fail('the thread ended')
        resolve()
      })
    })
  }

  /** Whether it accepts no more calls. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Performs a call. */
  async run(call: Call): Promise<unknown> {
    // An otherwise idle host waits for the result.
    this.#worker.ref()
    try {
      return await new Promise((resolve, reject) => {
        this.#running = { id: ++this.#lastId, resolve, reject }
        this.#post({ id: this.#lastId, call })
      })
    } finally {
      this.#running = undefined
      this.#worker.unref()
    }
  }

  /** Makes the running call roll back, if it has not ended yet. */
  cancel(): void {
    Atomics.store(this.#cancelled, 0, this.#lastId)
  }

  /** Abandons a thread that does not respond; it ends as soon as SQLite lets it. */
  abandon(problem: string): void {
    this.#fail(problem)
    this.#end()
  }

  /** Ends the thread after its current call, with its file closed. One that takes too long is not waited for here; a process that ends by itself still waits for SQLite. */
  async close(): Promise<void> {
    this.#isOver = true
    this.#end()
    this.#worker.ref()
    await waitAtMost(this.ended, { clock: systemClock, timeoutMs: closeMs }, () => {})
    this.#worker.unref()
  }

  /** It is never terminated: the driver of SQLite aborts the whole process when its thread is stopped in the middle of a call. */
  #end(): void {
    this.cancel()
    this.#post({ close: true })
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message)
  }

  #take(message: FromThread): void {
    if (message.id !== this.#running?.id) return
    if ('result' in message) this.#running.resolve(message.result)
    else this.#running.reject(failureOf(message.failure))
  }

  #fail(problem: string): void {
    this.#isOver = true
    this.#running?.reject(new RetrieverUnavailable(because([['unusable_index']], problem)))
  }
}

function failureOf({ problem, kind, codes }: Failure): Error {
  if (kind === 'configuration') return wrong(problem, codes)
  return new RetrieverUnavailable(kind === 'file' ? problem : because([['unusable_index']], problem))
}
