import type { StopSignal } from '@stickler/core'
import { errorMessage } from '@stickler/core/internal'
import { type AnswerJob, type Job, type JobResult, RemoteFailure } from '@stickler/core/internal/remote'
import { WorkerPool } from '@stickler/node/internal'
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

/** Performs jobs in a bounded number of threads, which are started on demand. */
export class JudgingPool {
  readonly #with: PoolSettings
  readonly #pool: WorkerPool<JudgingThread>

  constructor(settings: PoolSettings) {
    const { threads: workers, queue, counts } = settings
    this.#with = settings
    this.#pool = new WorkerPool({
      workers,
      queue,
      start: () => this.#start(),
      full: () => new Refused('full', 'unavailable', `${queue} large answers are already waiting to be checked`),
      closed: () => new Refused('aborted', 'unavailable', 'the gateway is shutting down'),
      aborted: () => new Refused('aborted', 'aborted', 'the client disconnected'),
      notStarted: (thrown) => new RemoteFailure('unavailable', `no judging thread could be started: ${errorMessage(thrown)}`),
      onWaiting(change) {
        counts.queued += change
      },
    })
  }

  /** Performs a job when it is the caller's turn; rejects with a RemoteFailure when it has no result. */
  async run(job: Job, stop: StopSignal | undefined, caller = ''): Promise<JobResult> {
    const { counts } = this.#with
    let thread: JudgingThread | undefined
    let leave = (): void => {}
    try {
      const lease = await this.#pool.enter({ caller, stop })
      thread = lease.worker
      leave = lease.leave
      const result = await thread.run(job, stop, caller)
      counts.end('done')
      // What a plugin has left behind where it failed must not decide about other answers.
      if (isOutside(job) && hasFailed(result)) void thread.end(broken)
      return result
    } catch (error) {
      const failure = error instanceof RemoteFailure ? error : new RemoteFailure('crash', String(error))
      counts.end(failure instanceof Refused ? failure.jobEnd : ends[failure.reason])
      if (isOutside(job) && failure.reason === 'crash') void thread?.end(broken)
      throw failure
    } finally {
      leave()
    }
  }

  /** Ends threads as soon as they are idle: the pool of another configuration has taken over. */
  retire(): void {
    this.#pool.retire()
  }

  /** Ends all threads; their jobs have no result. */
  async close(): Promise<void> {
    await this.#pool.close()
  }

  #start(): JudgingThread {
    const { counts } = this.#with
    const thread = new JudgingThread(this.#with)
    counts.threads++
    void thread.ended.then(() => {
      counts.threads--
    })
    return thread
  }
}

/**
 * One pool for the built-in checks and one per plugin, and the same again for contracts on trial, so that
 * what never ends blocks nobody else.
 */
export class JudgingPools {
  readonly #settings: PoolSettings
  readonly #pools = new Map<string, JudgingPool>()
  #isRetired = false
  #isClosed = false

  constructor(settings: PoolSettings) {
    this.#settings = settings
  }

  /** Performs a job in the pool of this name, where each module has a pool of its own: that of the first one involved. */
  run(job: AnswerJob, stop: StopSignal | undefined, caller?: string, name = ''): Promise<JobResult> {
    const module = job.run.map((index) => job.checks[index]?.module).find((one) => one !== undefined)
    return this.of(name + (module ?? '')).run(job, stop, caller)
  }

  /** The pool of a module. */
  of(module: string): JudgingPool {
    const known = this.#pools.get(module)
    if (known !== undefined) return known
    const made = new JudgingPool(this.#settings)
    this.#pools.set(module, made)
    if (this.#isRetired) made.retire()
    if (this.#isClosed) void made.close()
    return made
  }

  /** Lets a module have the pool that another name has. */
  share(module: string, name: string): void {
    if (!this.#pools.has(module)) this.#pools.set(module, this.of(name))
  }

  /** Ends threads as soon as they are idle. */
  retire(): void {
    this.#isRetired = true
    for (const pool of this.#pools.values()) pool.retire()
  }

  /** Ends all threads. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...new Set(this.#pools.values())].map((pool) => pool.close()))
  }
}

/** The failure of a job that no thread has seen. */
class Refused extends RemoteFailure {
  readonly jobEnd: JobEnd

  constructor(jobEnd: JobEnd, reason: RemoteFailure['reason'], message: string) {
    super(reason, message)
    this.jobEnd = jobEnd
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

const ends: Readonly<Record<RemoteFailure['reason'], JobEnd>> = {
  timeout: 'deadline',
  crash: 'crash',
  unavailable: 'crash',
  aborted: 'aborted',
}
