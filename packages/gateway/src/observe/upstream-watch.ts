import type { RunnerFailure } from '@stickler/core'
import { HeldBack } from '@stickler/core/internal'
import type { BreakerState } from '@stickler/core/validators'
import type { RunRecord } from '../records/run/run-record.ts'
import { binOf, Histogram } from '../records/store/rollups/histogram.ts'

/** The recent state of one upstream, as this gateway sees it. */
export interface UpstreamState {
  readonly breaker: BreakerState
  /** When the breaker last changed; absent if it never has. */
  readonly breakerAt?: number
  /** Calls of recorded runs, in the last quarter to half hour. */
  readonly calls: number
  /** Calls that failed, in the same time. */
  readonly errors: number
  readonly p50Ms?: number
  readonly p95Ms?: number
  readonly lastError?: { readonly at: number; readonly kind: string; readonly status?: number }
}

interface Counts {
  calls: number
  errors: number
  readonly times: Histogram
}

interface Watched {
  breaker: BreakerState
  breakerAt?: number
  lastError?: UpstreamState['lastError']
  /** The current window and the one before. */
  windows: readonly [Counts, Counts]
  since: number
}

const windowMs = 900_000
const mostUpstreams = 1000

/** Watches the calls and circuit breakers of upstreams. */
export class UpstreamWatch {
  readonly #today: () => number
  readonly #upstreams = new Map<string, Watched>()

  constructor(today: () => number) {
    this.#today = today
  }

  /** Counts the calls of a run. */
  run({ upstream, attempts }: Pick<RunRecord, 'upstream' | 'attempts'>): void {
    if (upstream === '') return
    const watched = this.#of(upstream)
    const [now] = watched?.windows ?? []
    if (now === undefined) return
    for (const { ms, failure } of attempts) {
      // Failed calls are counted one by one; an attempt may have made several.
      if (failure !== undefined) continue
      now.calls++
      now.times.add(binOf(ms))
    }
  }

  /** Notes a failed call. */
  failed(upstream: string, failure: RunnerFailure): void {
    const watched = this.#of(upstream)
    if (watched === undefined || failure.kind === 'aborted' || failure instanceof HeldBack) return
    const { status } = failure.details
    watched.windows[0].calls++
    watched.windows[0].errors++
    watched.lastError = { at: this.#today(), kind: failure.kind, ...(status === undefined ? {} : { status }) }
  }

  /** Notes a change of a circuit breaker. */
  changed(upstream: string, breaker: BreakerState): void {
    const watched = this.#of(upstream)
    if (watched !== undefined) Object.assign(watched, { breaker, breakerAt: this.#today() })
  }

  /** The state of an upstream. */
  state(upstream: string): UpstreamState {
    const watched = this.#of(upstream)
    if (watched === undefined) return { breaker: 'closed', calls: 0, errors: 0 }
    const { breaker, breakerAt, lastError, windows } = watched
    const [now, before] = windows
    const times = new Histogram()
    for (const [bin, count] of [...now.times.bins, ...before.times.bins]) times.add(bin, count)
    const [p50Ms, p95Ms] = [times.percentile(0.5), times.percentile(0.95)]
    return {
      breaker,
      ...(breakerAt === undefined ? {} : { breakerAt }),
      calls: now.calls + before.calls,
      errors: now.errors + before.errors,
      ...(p50Ms === undefined || p95Ms === undefined ? {} : { p50Ms, p95Ms }),
      ...(lastError === undefined ? {} : { lastError }),
    }
  }

  #of(upstream: string): Watched | undefined {
    const now = this.#today()
    const known = this.#upstreams.get(upstream)
    if (known === undefined) {
      if (this.#upstreams.size >= mostUpstreams) return undefined
      const made: Watched = { breaker: 'closed', windows: [emptyCounts(), emptyCounts()], since: now }
      this.#upstreams.set(upstream, made)
      return made
    }
    // A clock that jumped back begins a new window too.
    const passed = Math.abs(now - known.since)
    if (passed >= windowMs) {
      known.windows = [emptyCounts(), passed >= 2 * windowMs ? emptyCounts() : known.windows[0]]
      known.since = now
    }
    return known
  }
}

function emptyCounts(): Counts {
  return { calls: 0, errors: 0, times: new Histogram() }
}
