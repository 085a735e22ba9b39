import type { StopSignal } from '@stickler/core'
import type { AnswerJob, JobResult } from '@stickler/core/internal/remote'
import { JudgingPool, type PoolSettings } from './judging-pool.ts'

/**
 * One pool for the built-in checks and one per plugin, so that a plugin that never ends blocks
 * nobody else.
 */
export class JudgingPools {
  readonly #settings: PoolSettings
  readonly #pools = new Map<string, JudgingPool>()
  #isRetired = false
  #isClosed = false

  constructor(settings: PoolSettings) {
    this.#settings = settings
  }

  /** Performs a job in the pool of the first module involved. */
  run(job: AnswerJob, stop: StopSignal | undefined, caller?: string): Promise<JobResult> {
    const module = job.run.map((index) => job.checks[index]?.module).find((one) => one !== undefined)
    return this.of(module ?? '').run(job, stop, caller)
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
