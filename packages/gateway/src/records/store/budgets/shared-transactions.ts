import type { Kysely } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import type { Tables } from '../rows/tables.ts'

type Task<Result> = (db: Kysely<Tables>) => Promise<Result>

interface Waiting {
  run(db: Kysely<Tables>): Promise<() => void>
  fail(error: unknown): void
}

/** How often a transaction is repeated after a conflict with another. */
const mostRetries = 5

/** Runs small tasks in order; if the engine allows it, tasks that arrive while others run share a transaction. */
export class SharedTransactions {
  readonly #engine: Engine
  #waiting: Waiting[] = []
  #running = 0

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Runs a task, again from its start if its transaction was rolled back; resolves when its transaction is committed. */
  run<Result>(task: Task<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        async run(db) {
          const result = await task(db)
          return () => resolve(result)
        },
        fail: reject,
      })
      if (this.#running < this.#engine.taskTransactions.atOnce) void this.#runAll()
    })
  }

  async #runAll(): Promise<void> {
    this.#running++
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#engine.taskTransactions.tasks)
      try {
        for (const tell of await this.#together(batch)) tell()
      } catch (error) {
        for (const one of batch) one.fail(error)
      }
    }
    this.#running--
  }

  async #together(batch: readonly Waiting[]): Promise<(() => void)[]> {
    for (let left = mostRetries; ; left--) {
      try {
        return await this.#engine.transaction(async (db) => {
          const results: (() => void)[] = []
          for (const one of batch) results.push(await one.run(db))
          return results
        })
      } catch (error) {
        if (left === 0 || !this.#engine.isConflict(error)) throw error
      }
    }
  }
}
