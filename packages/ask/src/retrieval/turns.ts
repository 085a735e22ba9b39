import type { Clock } from '@stickler/core'
import { RetrieverUnavailable } from './retriever.ts'

/** How many searches may run at once, and how long others may wait. */
export interface TurnSettings {
  readonly atOnce: number
  readonly waitMs: number
  readonly clock: Clock
}

interface Waiting {
  readonly size: number
  readonly begin: () => void
}

/**
 * Runs few searches at once. The others are queued, the smallest first, so that large ones do not
 * block all; a search that waits too long is rejected, and an abandoned one is removed.
 */
export class Turns {
  readonly #with: TurnSettings
  readonly #waiting = new Set<Waiting>()
  #searching = 0

  constructor(settings: TurnSettings) {
    this.#with = settings
  }

  /** Runs a search of some size when a slot is free. */
  async run<Result>(size: number, search: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted()
    if (this.#searching >= this.#with.atOnce) await this.#wait(size, signal)
    else this.#searching++
    try {
      return await search()
    } finally {
      this.#searching--
      this.#next()
    }
  }

  #wait(size: number, signal?: AbortSignal): Promise<void> {
    const { waitMs, clock } = this.#with
    return new Promise((resolve, reject) => {
      const stop = (settle: () => void): void => {
        this.#waiting.delete(waiting)
        cancel()
        signal?.removeEventListener('abort', leave)
        settle()
      }
      const leave = (): void => stop(() => reject(signal?.reason))
      const busy = (): void =>
        stop(() =>
          reject(new RetrieverUnavailable(`the index is busy with other questions: no free slot within ${waitMs} ms`, { isBusy: true })),
        )
      const waiting: Waiting = { size, begin: () => stop(resolve) }
      const cancel = clock.after(waitMs, busy)
      signal?.addEventListener('abort', leave)
      this.#waiting.add(waiting)
    })
  }

  #next(): void {
    let next: Waiting | undefined
    for (const waiting of this.#waiting) if (next === undefined || waiting.size < next.size) next = waiting
    if (next === undefined) return
    // Taken at once, so that no new caller overtakes it.
    this.#searching++
    next.begin()
  }
}
