import type { StopSignal } from '@stickler/core'
import { type Job, type JobResult, RemoteFailure } from '@stickler/core/remote'
import { FairQueue, makeRoom, type Queued } from '@stickler/core/services'
import type { JobEnd, JudgingCounts } from './judging-counts.ts'
import { JudgingThread, type ThreadSettings } from './judging-thread.ts'

/** What a pool is made with. */
export interface PoolSettings extends ThreadSettings {
  /** Most threads at a time. */
  readonly threads: number
  /** Most jobs that wait for a thread. */
  readonly queue: number
  readonly counts: JudgingCounts
}

interface Waiting {
  readonly job: Job
  readonly caller: string
  readonly stop: StopSignal | undefined
  readonly resolve: (result: JobResult) => void
  readonly reject: (failure: RemoteFailure) => void
  readonly leave: () => void
}

/** Performs jobs in a bounded number of threads, which are started on demand. */
export class JudgingPool {
  readonly #with: PoolSettings
  readonly #idle: JudgingThread[] = []
  readonly #threads = new Set<JudgingThread>()
  readonly #waiting = new FairQueue<Waiting>()
  #isRetired = false
  #isClosed = false

  constructor(settings: PoolSettings) {
    this.#with = settings
  }

  /** Performs a job when it is the caller's turn; rejects with a RemoteFailure when it has no result. */
  run(job: Job, stop: StopSignal | undefined, caller = ''): Promise<JobResult> {
    const { queue, counts } = this.#with
    if (stop?.aborted) return this.#refuse('aborted', new RemoteFailure('aborted', 'the client disconnected'))
    if (this.#isClosed) return this.#refuse('aborted', new RemoteFailure('unavailable', 'the gateway is shutting down'))
    const full = (): RemoteFailure => new RemoteFailure('unavailable', `${queue} large answers are already waiting to be checked`)
    if (!this.#hasRoom && !makeRoom(this.#waiting, queue, caller, (waiting) => this.#dismiss(waiting, 'full', full())))
      return this.#refuse('full', full())
    return new Promise((resolve, reject) => {
      const leave = (): void => this.#remove(entry, 'aborted', new RemoteFailure('aborted', 'the client disconnected'))
      const entry = this.#waiting.add(caller, { job, caller, stop, resolve, reject, leave })
      counts.queued++
      stop?.addEventListener('abort', leave)
      this.#next()
    })
  }

  /** Ends threads as soon as they are idle: the pool of another configuration has taken over. */
  retire(): void {
    this.#isRetired = true
    for (const thread of this.#idle.splice(0)) thread.end(over)
  }

  /** Ends all threads; their jobs have no result. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const waiting of this.#waiting) this.#remove(waiting, 'aborted', over)
    const threads = [...this.#threads]
    for (const thread of threads) thread.end(over)
    await Promise.all(threads.map(({ ended }) => ended))
  }

  get #hasRoom(): boolean {
    return this.#idle.some(({ isOver }) => !isOver) || this.#threads.size < this.#with.threads
  }

  #refuse(end: JobEnd, failure: RemoteFailure): Promise<never> {
    this.#with.counts.end(end)
    return Promise.reject(failure)
  }

  #next(): void {
    while (this.#hasRoom) {
      const waiting = this.#waiting.shift()
      if (waiting === undefined) return
      this.#with.counts.queued--
      waiting.stop?.removeEventListener('abort', waiting.leave)
      const thread = this.#takeIdle() ?? this.#startFor(waiting)
      if (thread !== undefined) void this.#perform(thread, waiting)
    }
  }

  #takeIdle(): JudgingThread | undefined {
    const at = this.#idle.findIndex(({ isOver }) => !isOver)
    return at < 0 ? undefined : this.#idle.splice(at, 1)[0]
  }

  async #perform(thread: JudgingThread, { job, caller, stop, resolve, reject }: Waiting): Promise<void> {
    const { counts } = this.#with
    try {
      const result = await thread.run(job, stop, caller)
      resolve(result)
      counts.end('done')
      // What a plugin has left behind where it failed must not decide about other answers.
      if (isOutside(job) && hasFailed(result)) thread.end(broken)
    } catch (error) {
      const failure = error instanceof RemoteFailure ? error : new RemoteFailure('crash', String(error))
      counts.end(ends[failure.reason])
      reject(failure)
      if (isOutside(job) && failure.reason === 'crash') thread.end(broken)
    }
    // A terminated one is replaced when it has ended, so that there are never more than allowed.
    if (thread.isOver) return
    if (this.#isRetired && this.#waiting.size === 0) thread.end(over)
    else this.#idle.push(thread)
    this.#next()
  }

  /** A new thread; if none can be started, the job has no result, and the others keep waiting. */
  #startFor({ reject }: Waiting): JudgingThread | undefined {
    try {
      return this.#start()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.#with.counts.end('crash')
      reject(new RemoteFailure('unavailable', `no judging thread could be started: ${reason}`))
      return undefined
    }
  }

  #start(): JudgingThread {
    const { counts } = this.#with
    const thread = new JudgingThread(this.#with)
    this.#threads.add(thread)
    counts.threads++
    void thread.ended.then(() => {
      counts.threads--
      this.#threads.delete(thread)
      const at = this.#idle.indexOf(thread)
      if (at >= 0) this.#idle.splice(at, 1)
      if (!this.#isClosed) this.#next()
    })
    return thread
  }

  #remove(entry: Queued<Waiting>, end: JobEnd, failure: RemoteFailure): void {
    if (this.#waiting.delete(entry)) this.#dismiss(entry.item, end, failure)
  }

  #dismiss(waiting: Waiting, end: JobEnd, failure: RemoteFailure): void {
    const { counts } = this.#with
    counts.queued--
    counts.end(end)
    waiting.stop?.removeEventListener('abort', waiting.leave)
    waiting.reject(failure)
  }
}

const broken = new RemoteFailure('crash', 'the judging thread is replaced after a failure')

function isOutside(job: Job): boolean {
  if (job.kind === 'describe' || job.kind === 'prepare') return true
  return job.run.some((index) => job.checks[index]?.module !== undefined)
}

/** Whether a validator crashed or did not end. */
function hasFailed(result: JobResult): boolean {
  if (result.kind === 'describe') return result.described.failure !== undefined
  const found = result.kind === 'check' ? result.collected : result.kind === 'propose' ? [result.proposed] : []
  return found.some((one) => 'cause' in one && one.cause !== 'aborted' && one.cause !== 'unavailable')
}

const over = new RemoteFailure('unavailable', 'the gateway is shutting down')

const ends: Readonly<Record<RemoteFailure['reason'], JobEnd>> = {
  timeout: 'deadline',
  crash: 'crash',
  unavailable: 'crash',
  aborted: 'aborted',
}
