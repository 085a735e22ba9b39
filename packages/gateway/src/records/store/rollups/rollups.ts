import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock, waitAtMost } from '@stickler/core/internal'
import type { Engine } from '../engine/engine.ts'
import type { AlertSwitch } from '../store-alert.ts'
import { databaseFailure } from '../store-unavailable.ts'
import { fold } from './fold.ts'

const everyMs = 2000
/** In place of the thread, fewer runs at once: they block the event loop. */
const runsHere = 50

/** Adds new runs to sums now and then, and before sums are read. */
export class Rollups {
  readonly #engine: Engine
  readonly #now: () => number
  readonly #alerts: AlertSwitch
  readonly #timer: NodeJS.Timeout
  #work: Promise<boolean> | undefined
  #isClosed = false

  constructor(engine: Engine, now: () => number, alerts: AlertSwitch) {
    this.#now = now
    this.#engine = engine
    this.#alerts = alerts
    this.#timer = setInterval(() => void this.#run(), everyMs).unref()
  }

  /** Adds the runs that are in the database, for at most this long; returns whether that were all. */
  catchUp(mostMs: number): Promise<boolean> {
    return waitAtMost(this.#run(), { clock: systemClock, timeoutMs: mostMs }, () => false)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#work
  }

  /** One run at a time; who asks meanwhile needs another one, since it may have read before. Never throws: a failure is reported once, and the next run tries again. */
  async #run(): Promise<boolean> {
    while (this.#work !== undefined) await this.#work
    this.#work = this.#tried()
    try {
      return await this.#work
    } finally {
      this.#work = undefined
    }
  }

  async #tried(): Promise<boolean> {
    try {
      const isComplete = await this.#foldAll()
      if (isComplete) this.#alerts.worked()
      return isComplete
    } catch (error) {
      // Only the code of an error is safe to repeat.
      const { code } = databaseFailure(error)
      this.#alerts.failed(
        `runs cannot be added to the sums of the dashboard${code === undefined ? '' : ` (${code})`}; they are tried again`,
      )
      return false
    }
  }

  async #foldAll(): Promise<boolean> {
    while (!this.#isClosed) {
      const { more } =
        (await this.#engine.fold?.(this.#now())) ??
        (await fold(this.#engine, this.#now(), this.#engine.name === 'sqlite' ? runsHere : undefined))
      if (!more) return true
      await nextTurn()
    }
    return false
  }
}
