import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { systemClock, waitAtMost } from '@stickler/core/internal'
import type { LinePlace } from '../../journal/segment.ts'
import type { FromThread, ThreadData, ToThread, Written } from './messages.ts'

/** Maximum time for a thread to close its file. */
const closeMs = 5000

/** Each batch leaves only garbage, so a small heap is enough. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 }

/** A thread with its own connection that writes lines of a journal into a SQLite file, one call at a time. It starts on first use, and again after it has ended; calls do not wait until it is ready. */
export class WritingThread {
  readonly #data: ThreadData
  #worker: Worker | undefined
  #settle: ((answer: Written) => void) | undefined
  #call = 0
  #isReady = false
  /** If the first thread could not start, no other is tried. */
  #isPossible: boolean | undefined

  constructor(data: ThreadData) {
    this.#data = data
  }

  /** Writes lines, and returns their number; throws a TypeError if the caller has to write them itself. */
  async insert(place: LinePlace): Promise<number> {
    const answer = this.#isPossible === false ? {} : await this.#ask(place)
    if ('written' in answer) return answer.written
    throw answer.code === undefined ? new TypeError('the thread cannot write the lines') : Object.assign(new Error(answer.code), answer)
  }

  /** Ends the thread after its call, with its file closed. It is never terminated: the SQLite driver aborts the process if its thread is stopped during a call. */
  async close(): Promise<void> {
    const worker = this.#worker
    if (worker === undefined) return
    worker.ref()
    worker.postMessage('close' satisfies ToThread)
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    await waitAtMost(ended, { clock: systemClock, timeoutMs: closeMs }, () => {})
    worker.unref()
  }

  async #ask(place: LinePlace): Promise<Written> {
    this.#worker ??= this.#start()
    if (!this.#isReady) return {}
    const worker = this.#worker
    // Keeps an otherwise idle process alive until the result arrives.
    worker.ref()
    const answer = await new Promise<Written>((resolve) => {
      this.#settle = resolve
      worker.postMessage({ call: ++this.#call, place } satisfies ToThread)
    })
    worker.unref()
    return answer
  }

  #start(): Worker {
    // The package name resolves to the built file, both from sources and from a build.
    const entry = createRequire(import.meta.url).resolve('@stickler/gateway/records')
    // Options of the process's own script, such as --input-type, would prevent the thread from starting.
    const worker = new Worker(entry, { name: 'stickler-records', workerData: this.#data, execArgv: [], resourceLimits })
    worker.unref()
    worker.on('message', (message: FromThread) => {
      // The journal is truncated by this result, so only the answer to this call counts.
      if (message !== 'ready') return message.call === this.#call ? this.#answer(message) : undefined
      this.#isReady = true
      this.#isPossible = true
    })
    // The exit event follows.
    worker.on('error', () => {})
    worker.once('exit', () => {
      this.#worker = undefined
      this.#isReady = false
      this.#isPossible ??= false
      this.#answer({})
    })
    return worker
  }

  #answer(answer: Written): void {
    this.#settle?.(answer)
    this.#settle = undefined
  }
}
