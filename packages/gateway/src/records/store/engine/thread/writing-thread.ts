import { createRequire } from 'node:module'
import { systemClock, waitAtMost } from '@stickler/core/internal'
import { type Channel, type ChannelListener, openThread, Worker } from '@stickler/node/internal'
import type { LinePlace } from '../../journal/segment.ts'
import type { FromThread, ThreadData, ToThread, Written } from './messages.ts'

/** Maximum time for a thread to close its file. */
const closeMs = 5000

/** Each batch leaves only garbage, so a small heap is enough. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 }

/** Writes lines of a journal into a SQLite file in a thread, one call at a time. It starts on first use, and again after it has ended; calls do not wait until it is ready. */
export class WritingThread {
  readonly #data: ThreadData
  #thread: RecordsThread | undefined
  /** If the first thread could not start, no other is tried. */
  #isPossible: boolean | undefined

  constructor(data: ThreadData) {
    this.#data = data
  }

  /** Writes lines, and returns their number; throws a TypeError if the caller has to write them itself. */
  async insert(place: LinePlace): Promise<number> {
    if (this.#isPossible !== false) this.#thread ??= this.#start()
    const answer = this.#thread?.isReady ? await this.#thread.insert(place) : {}
    if ('written' in answer) return answer.written
    throw answer.code === undefined ? new TypeError('the thread cannot write the lines') : Object.assign(new Error(answer.code), answer)
  }

  /** Ends the thread after its call, with its file closed. */
  async close(): Promise<void> {
    if (this.#thread === undefined) return
    await waitAtMost(this.#thread.close(), { clock: systemClock, timeoutMs: closeMs }, () => {})
  }

  #start(): RecordsThread {
    const thread = new RecordsThread(this.#data)
    void thread.ended.then(() => {
      this.#thread = undefined
      this.#isPossible ??= thread.isReady
    })
    return thread
  }
}

/** Starts a thread that is never terminated: the SQLite driver aborts the process if its thread is stopped during a call. */
function open(workerData: ThreadData, listener: ChannelListener<FromThread>): Channel<ToThread> {
  // The package name resolves to the built file, both from sources and from a build.
  const entry = createRequire(import.meta.url).resolve('@stickler/gateway/records')
  // Options of the process's own script, such as --input-type, would prevent the thread from starting.
  const options = { name: 'stickler-records', workerData, execArgv: [], resourceLimits }
  const thread = openThread<ToThread, FromThread>(entry, options, listener)
  return { ...thread, stop: () => thread.send('close') }
}

/** A thread with its own connection. */
class RecordsThread extends Worker<ToThread, FromThread> {
  isReady = false
  #call = 0

  constructor(data: ThreadData) {
    super(systemClock, (listener) => open(data, listener))
  }

  /** Writes lines; nothing is known of them if the thread ends before its answer. */
  insert(place: LinePlace): Promise<Written> {
    return this.ask<Written>({ call: ++this.#call, place }).catch(() => ({}))
  }

  /** Unlike `end`, lets the current call finish: the journal is truncated by its result. */
  close(): Promise<void> {
    this.post('close')
    return this.ended
  }

  protected hear(message: FromThread): void {
    if (message === 'ready') this.isReady = true
    // The journal is truncated by this result, so only the answer to this call counts.
    else if (message.call === this.#call) this.settle(message)
  }

  protected failureOf(): Error {
    return new Error('the thread ended')
  }
}
