import { ConfigurationError } from '@stickler/core'
import { because } from '@stickler/core/runners'
import { RetrieverUnavailable } from '../../retriever.ts'
import { IndexThread } from './index-thread.ts'
import type { Call, Calls, ThreadData } from './messages.ts'

/** The dependencies of a queue. */
export interface ThreadQueueSettings extends Pick<ThreadData, 'path' | 'collection'> {
  /** Most calls that wait. */
  readonly queue: number
  /** Milliseconds that one call may take. */
  readonly timeoutMs: number
}

/** Threads that have been abandoned and still work hold memory and a processor. */
const mostThreads = 4

interface Waiting {
  readonly call: Call
  readonly signal: AbortSignal | undefined
  readonly resolve: (result: unknown) => void
  readonly reject: (failure: unknown) => void
}

/**
 * Calls that a thread performs one after the other; it is started on first use and replaced when it
 * ends.
 */
export class ThreadQueue {
  readonly #with: ThreadQueueSettings
  readonly #waiting = new Set<Waiting>()
  /** All that have not ended, including abandoned ones. */
  readonly #threads = new Set<IndexThread>()
  #thread: IndexThread | undefined
  #isBusy = false
  #isClosed = false

  constructor(settings: ThreadQueueSettings) {
    this.#with = settings
  }

  /** Performs a call; one whose caller leaves while it waits is dropped. */
  run<Name extends keyof Calls>(
    signal: AbortSignal | undefined,
    ...call: readonly [Name, ...Parameters<Calls[Name]>]
  ): Promise<ReturnType<Calls[Name]>> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#isClosed) return Promise.reject(closed())
    if (this.#waiting.size >= this.#with.queue)
      return Promise.reject(new RetrieverUnavailable(`${this.#with.queue} calls are already waiting for the index`, { isBusy: true }))
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        // The running call is notified, and the caller does not wait for its end.
        if (!this.#waiting.delete(waiting)) this.#thread?.cancel()
        reject(signal?.reason)
      }
      const settled = (): void => signal?.removeEventListener('abort', leave)
      const waiting: Waiting = {
        call: call as unknown as Call,
        signal,
        resolve: (result) => {
          settled()
          resolve(result as ReturnType<Calls[Name]>)
        },
        reject: (failure) => {
          settled()
          reject(failure)
        },
      }
      signal?.addEventListener('abort', leave)
      this.#waiting.add(waiting)
      void this.#next()
    })
  }

  /** Ends the threads; waiting calls are dropped. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiting) reject(closed())
    this.#waiting.clear()
    await Promise.all([...this.#threads].map((thread) => thread.close()))
  }

  async #next(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    for (const waiting of this.#waiting) {
      this.#waiting.delete(waiting)
      await this.#perform(waiting)
    }
    this.#isBusy = false
  }

  async #perform({ call, resolve, reject }: Waiting): Promise<void> {
    const { timeoutMs } = this.#with
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      const thread = this.#start()
      timer = setTimeout(() => thread.abandon(`it took longer than ${timeoutMs} ms`), timeoutMs)
      resolve(await thread.run(call))
    } catch (error) {
      reject(this.#isClosed ? closed() : failureOf(error))
    }
    clearTimeout(timer)
  }

  #start(): IndexThread {
    if (this.#thread !== undefined && !this.#thread.isOver) return this.#thread
    if (this.#threads.size >= mostThreads)
      throw new RetrieverUnavailable('earlier calls to the index took too long and have not ended yet', { isBusy: true })
    const thread = new IndexThread(this.#with)
    this.#thread = thread
    this.#threads.add(thread)
    void thread.ended.then(() => this.#threads.delete(thread))
    return thread
  }
}

/** Any other error is not the caller's fault. */
function failureOf(error: unknown): unknown {
  if (error instanceof RetrieverUnavailable || error instanceof ConfigurationError) return error
  return new RetrieverUnavailable(because([['unusable_index']], error instanceof Error ? error.message : String(error)))
}

function closed(): RetrieverUnavailable {
  return new RetrieverUnavailable('the index is closed')
}
