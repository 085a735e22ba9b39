import { createRequire } from 'node:module'
import { ConfigurationError } from '@stickler/core'
import { because, systemClock, waitAtMost } from '@stickler/core/internal'
import { type Channel, type ChannelListener, openThread, Worker, WorkerPool } from '@stickler/node/internal'
import { RetrieverUnavailable } from '../../retriever.ts'
import { wrong } from '../checked-documents.ts'
import type { Call, Calls, Failure, FromThread, ThreadData, ToThread } from './messages.ts'

/** The dependencies of a queue. */
interface ThreadQueueSettings extends Pick<ThreadData, 'path' | 'collection'> {
  /** Most calls that wait. */
  readonly queue: number
  /** Milliseconds that one call may take. */
  readonly timeoutMs: number
}

/** Threads that have been abandoned and still work hold memory and a processor. */
const mostThreads = 4
/** How long is waited for threads that close their file. */
const closeMs = 5000

/** Calls that a thread performs one after the other; it is started on first use and replaced when it ends. */
export class ThreadQueue {
  readonly #with: ThreadQueueSettings
  readonly #pool: WorkerPool<IndexThread>

  constructor(settings: ThreadQueueSettings) {
    const { queue } = settings
    this.#with = settings
    this.#pool = new WorkerPool({
      workers: 1,
      queue,
      start: () => this.#start(),
      full: () => new RetrieverUnavailable(`${queue} calls are already waiting for the index`, { isBusy: true }),
      closed: () => new RetrieverUnavailable('the index is closed'),
      notStarted: failureOf,
      isReplacedAtOnce: true,
    })
  }

  /** Performs a call; one whose caller leaves while it waits is dropped. */
  async run<Name extends keyof Calls>(
    signal: AbortSignal | undefined,
    ...call: readonly [Name, ...Parameters<Calls[Name]>]
  ): Promise<ReturnType<Calls[Name]>> {
    const { worker, leave } = await this.#pool.enter({ stop: signal })
    return new Promise((resolve, reject) => {
      // The running call is notified, and the caller does not wait for its end.
      const left = (): void => {
        worker.cancel()
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', left)
      const settled = (): void => {
        signal?.removeEventListener('abort', left)
        leave()
      }
      const result = worker.run(call as unknown as Call, this.#with.timeoutMs) as Promise<ReturnType<Calls[Name]>>
      result.finally(settled).then(resolve, (thrown: unknown) => reject(failureOf(thrown)))
    })
  }

  /** Ends the threads; calls are dropped. A thread that takes too long is not waited for here; a process that ends by itself still waits for SQLite. */
  async close(): Promise<void> {
    await waitAtMost(this.#pool.close(), { clock: systemClock, timeoutMs: closeMs }, () => {})
  }

  #start(): IndexThread {
    if (this.#pool.workers.size >= mostThreads)
      throw new RetrieverUnavailable('earlier calls to the index took too long and have not ended yet', { isBusy: true })
    return new IndexThread(this.#with)
  }
}

interface IndexChannel extends Channel<ToThread> {
  /** Holds the number of a call whose caller has left. */
  readonly cancelled: Int32Array
}

/** Starts a thread that is never terminated: the driver of SQLite aborts the whole process when its thread is stopped in the middle of a call. */
function open({ path, collection }: ThreadQueueSettings, listener: ChannelListener<FromThread>): IndexChannel {
  const cancelled = new Int32Array(new SharedArrayBuffer(4))
  const workerData: ThreadData = { path, collection, cancelled: cancelled.buffer as SharedArrayBuffer }
  // By package name, which resolves to the built file from sources and from a build alike.
  const entry = createRequire(import.meta.url).resolve('@stickler/ask/internal/index-thread')
  // Options of the host's own script, such as --input-type, would prevent a thread from starting.
  const thread = openThread<ToThread, FromThread>(entry, { name: 'stickler-index', workerData, execArgv: [] }, listener)
  return { ...thread, cancelled, stop: () => thread.send({ close: true }) }
}

/** One thread with its own connection, which performs one call at a time. */
class IndexThread extends Worker<ToThread, FromThread, IndexChannel> {
  #lastId = 0

  constructor(settings: ThreadQueueSettings) {
    super(systemClock, (listener) => open(settings, listener))
  }

  /** Performs a call; abandons the thread when it takes too long. */
  run(call: Call, ms: number): Promise<unknown> {
    const result = this.ask({ id: ++this.#lastId, call })
    this.limit(ms, this.failureOf(`it took longer than ${ms} ms`))
    return result
  }

  /** Makes the running call roll back, if it has not ended yet. */
  cancel(): void {
    Atomics.store(this.channel.cancelled, 0, this.#lastId)
  }

  override end(failure: Error): Promise<unknown> {
    this.cancel()
    return super.end(failure)
  }

  protected hear(message: FromThread): void {
    if (message.id !== this.#lastId) return
    if ('result' in message) this.settle(message.result)
    else this.fail(reported(message.failure))
  }

  protected failureOf(thrown: unknown = 'the thread ended'): RetrieverUnavailable {
    return unusable(thrown)
  }
}

function reported({ problem, kind, codes }: Failure): Error {
  if (kind === 'configuration') return wrong(problem, codes)
  return kind === 'file' ? new RetrieverUnavailable(problem) : unusable(problem)
}

/** Any other error is not the caller's fault. */
function failureOf(error: unknown): unknown {
  return error instanceof RetrieverUnavailable || error instanceof ConfigurationError ? error : unusable(error)
}

function unusable(thrown: unknown): RetrieverUnavailable {
  return new RetrieverUnavailable(because([['unusable_index']], thrown instanceof Error ? thrown.message : String(thrown)))
}
