import type { Clock } from '@stickler/core'
import type { Logger } from '../../front/log.ts'
import type { RunFeed } from '../../records/store/queries/list-runs.ts'
import type { StoreQueries } from '../../records/store/store.ts'

/** Receives new runs; neither method may throw. */
export interface LiveListener {
  page(page: RunFeed): void
  /** The feed has ended. */
  end(): void
}

/** Where runs come from. */
export type RunSource = Pick<StoreQueries, 'runsSince'>

/** What a feed needs. */
interface LiveFeedParts {
  readonly queries: RunSource
  readonly clock: Clock
  readonly log: Logger
  /** How often the store is polled while there are listeners. */
  readonly pollMs?: number
}

/** Runs per query. */
export const livePageSize = 100

/** Polls the store for new runs while there are listeners; once for all of them. */
export class LiveFeed {
  readonly #parts: LiveFeedParts
  readonly #pollMs: number
  readonly #listeners = new Set<LiveListener>()
  #cursor: string | undefined
  #cancel: (() => void) | undefined
  #asking = false
  #failures = 0

  constructor(parts: LiveFeedParts) {
    this.#parts = parts
    this.#pollMs = parts.pollMs ?? 500
  }

  /** Number of listeners. */
  get size(): number {
    return this.#listeners.size
  }

  /**
   * Listens to every run that is committed from now on, `now` being a fresh cursor; the returned
   * function stops it.
   */
  join(listener: LiveListener, now: string): () => void {
    this.#listeners.add(listener)
    // Runs committed while nobody listened are for clients with a cursor.
    if (this.#listeners.size === 1) this.#cursor = now
    if (!this.#asking && this.#cancel === undefined) this.#askLater(this.#pollMs)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#cancel?.()
      this.#cancel = undefined
    }
  }

  /** Ends the feed for all listeners, at shutdown. */
  close(): void {
    for (const listener of [...this.#listeners]) listener.end()
  }

  #askLater(ms: number): void {
    this.#cancel = this.#parts.clock.after(ms, () => void this.#ask())
  }

  async #ask(): Promise<void> {
    this.#asking = true
    this.#cancel = undefined
    let more = false
    try {
      const before = this.#cursor
      const page = await this.#parts.queries.runsSince(before, livePageSize)
      this.#failures = 0
      // Listeners may have left and joined during the query.
      if (this.#cursor === before) {
        this.#cursor = page.cursor
        if (page.runs.length > 0) for (const listener of [...this.#listeners]) listener.page(page)
        more = page.runs.length >= livePageSize
      }
    } catch (error) {
      this.#failures++
      if (this.#failures === 1) this.#parts.log.warn({ err: error }, 'reading new runs from the store failed')
    }
    this.#asking = false
    if (this.#listeners.size === 0) return
    this.#askLater(more ? 0 : this.#pollMs * Math.min(2 ** this.#failures, 16))
  }
}
