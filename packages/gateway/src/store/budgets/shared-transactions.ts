import type { Kysely } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import type { Tables } from '../engine/tables.ts'

type Task<Result> = (db: Kysely<Tables>) => Promise<Result>

interface Waiting {
  run(db: Kysely<Tables>): Promise<() => void>
  fail(error: unknown): void
}

/** So many share one transaction at most, so that others get their turn. */
const most = 64

/** Runs small tasks in transactions that those share which come while another one is running: beginning and committing cost more than they do. */
export class SharedTransactions {
  readonly #engine: Engine
  #waiting: Waiting[] = []
  #isRunning = false

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Runs a task; it is done when its transaction is. */
  run<Result>(task: Task<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        async run(db) {
          const result = await task(db)
          return () => resolve(result)
        },
        fail: reject,
      })
      if (!this.#isRunning) void this.#runAll()
    })
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, most)
      try {
        const done = await this.#engine.transaction(async (db) => {
          const results: (() => void)[] = []
          for (const one of batch) results.push(await one.run(db))
          return results
        })
        for (const tell of done) tell()
      } catch (error) {
        for (const one of batch) one.fail(error)
      }
    }
    this.#isRunning = false
  }
}
