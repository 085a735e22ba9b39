import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { systemClock } from '@stickler/core'
import { waitAtMost } from '@stickler/core/services'
import type { LinePlace } from '../../journal/segment.ts'
import type { FromThread, ThreadData, ToThread, Written } from './messages.ts'

/** How long is waited for a thread that closes its file. */
const closeMs = 5000

/** Its garbage is gone with every batch, so it needs little room. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 }

/** A thread with a connection of its own that writes lines of a journal into a file of SQLite, one call at a time. It is started on first use, and again after it has ended; nobody waits until it is ready. */
export class WritingThread {
  readonly #data: ThreadData
  #worker: Worker | undefined
  #settle: ((answer: Written) => void) | undefined
  #call = 0
  #isReady = false
  /** Where the first could not be started, none is tried again. */
  #isPossible: boolean | undefined

  constructor(data: ThreadData) {
    this.#data = data
  }

  /** Writes the lines of a place, and tells how many there were; throws a TypeError when the caller has to write them itself. */
  async insert(place: LinePlace): Promise<number> {
    const answer = this.#isPossible === false ? {} : await this.#ask(place)
    if ('written' in answer) return answer.written
    throw answer.code === undefined ? new TypeError('the thread cannot write the lines') : Object.assign(new Error(answer.code), answer)
  }

  /** Ends the thread after its call, with its file closed. It is never terminated: the driver of SQLite aborts the whole process when its thread is stopped in the middle of a call. */
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
    // An otherwise idle process waits for the result.
    worker.ref()
    const answer = await new Promise<Written>((resolve) => {
      this.#settle = resolve
      worker.postMessage({ call: ++this.#call, place } satisfies ToThread)
    })
    worker.unref()
    return answer
  }

  #start(): Worker {
    // By package name, which resolves to the built file from sources and from a build alike.
    const entry = createRequire(import.meta.url).resolve('@stickler/gateway/records')
    // Options of the process's own script, such as --input-type, would prevent a thread from starting.
    const worker = new Worker(entry, { name: 'stickler-records', workerData: this.#data, execArgv: [], resourceLimits })
    worker.unref()
    worker.on('message', (message: FromThread) => {
      // The journal is cut by what is answered, so only the answer to this call counts.
      if (message !== 'ready') return message.call === this.#call ? this.#answer(message) : undefined
      this.#isReady = true
      this.#isPossible = true
    })
    // Its end follows.
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
