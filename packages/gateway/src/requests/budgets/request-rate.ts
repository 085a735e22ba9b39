import type { Clock } from '@stickler/core'
import { HttpError } from '@stickler/core/internal'

const minuteMs = 60_000
const mostKeys = 10_000

interface Window {
  readonly since: number
  requests: number
}

/**
 * Counts the requests of keys in windows of a minute, on a monotonic clock, so that a changed date
 * locks out nobody.
 */
export class RequestRate {
  readonly #clock: Clock
  readonly #windows = new Map<string, Window>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts a request, or throws an HttpError that says when to retry. */
  count(key: string, perMinute: number): void {
    const now = this.#clock.now()
    let window = this.#windows.get(key)
    if (window === undefined || now - window.since >= minuteMs) {
      window = { since: now, requests: 0 }
      // Moved to the end: the longest unused comes first.
      this.#windows.delete(key)
      this.#windows.set(key, window)
      const [oldest] = this.#windows.keys()
      if (this.#windows.size > mostKeys && oldest !== undefined) this.#windows.delete(oldest)
    }
    if (++window.requests <= perMinute) return
    throw new HttpError(429, `This key may send ${perMinute} requests per minute.`, {
      type: 'rate_limit_error',
      code: 'budget_exceeded',
      headers: { 'retry-after': String(Math.ceil((window.since + minuteMs - now) / 1000)) },
    })
  }
}
