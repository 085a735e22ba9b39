import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { FromThread, ThreadData, ToThread } from './messages.ts'

/** How long a thread may take to close the file before it is terminated. */
const closeMs = 5000

/** Its garbage is gone with every batch, so it needs little room. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 }

/** A thread with a connection of its own that writes lines of a journal into a file of SQLite, one call at a time. It is started on first use and again after it has ended: what it had not written is still in the journal. */
export class WritingThread {
  readonly #entry: string
  readonly #data: ThreadData
  #worker: Worker | undefined
  #settle: ((message: FromThread) => void) | undefined

  constructor(data: ThreadData) {
    this.#data = data
    // By package name, which resolves to the built file from sources and from a build alike.
    this.#entry = createRequire(import.meta.url).resolve('@stickler/gateway/records')
  }

  /** Writes whole lines, and tells how many there were. */
  async insert(lines: Uint8Array): Promise<number> {
    this.#worker ??= this.#start()
    // An otherwise idle process waits for the result.
    this.#worker.ref()
    const answer = await new Promise<FromThread>((resolve) => {
      this.#settle = resolve
      const copy = new Uint8Array(lines)
      this.#worker?.postMessage(copy satisfies ToThread, [copy.buffer])
    })
    this.#worker?.unref()
    if ('written' in answer) return answer.written
    throw answer.code === undefined ? new TypeError('a line cannot be written') : Object.assign(new Error(answer.code), answer)
  }

  /** Ends the thread after its call, with its file closed. */
  async close(): Promise<void> {
    const worker = this.#worker
    if (worker === undefined) return
    worker.ref()
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage('close' satisfies ToThread)
    const timer = setTimeout(() => void worker.terminate(), closeMs)
    await ended
    clearTimeout(timer)
  }

  #start(): Worker {
    // Options of the process's own script, such as --input-type, would prevent a thread from starting.
    const worker = new Worker(this.#entry, { name: 'stickler-records', workerData: this.#data, execArgv: [], resourceLimits })
    worker.on('message', (message: FromThread) => this.#answer(message))
    // Its end follows.
    worker.on('error', () => {})
    worker.once('exit', () => {
      this.#worker = undefined
      this.#answer({ code: 'THREAD_ENDED' })
    })
    return worker
  }

  #answer(message: FromThread): void {
    this.#settle?.(message)
    this.#settle = undefined
  }
}
