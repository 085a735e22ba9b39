import type { TraceEvent, TraceListener } from './trace.ts'

/** How many runs were started, and how many of them had to ask again, in one stretch of time. */
export interface RateBucket {
  /** Number of the stretch since counting began. */
  readonly index: number
  readonly runs: number
  readonly retries: number
}

/** What has been counted. */
export interface Counts {
  readonly runs: number
  readonly attempts: number
  readonly retries: number
  readonly repairs: number
  /** Runs by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Answers that failed a check, by validator and code, as `validator/CODE`. */
  readonly failures: Readonly<Record<string, number>>
  readonly retryRate: readonly RateBucket[]
}

/** A listener that counts what runs do. */
export interface Counters {
  readonly listen: TraceListener
  counts(): Counts
}

/** Counts runs, attempts, retries, repairs and failures from traces; `now` divides time into stretches of `bucketMs`. */
export function createCounters(now: () => number, { bucketMs = 60_000, keep = 60 } = {}): Counters {
  const totals = { runs: 0, attempts: 0, retries: 0, repairs: 0 }
  const statuses = new Map<string, number>()
  const failures = new Map<string, number>()
  const buckets = new Map<number, { runs: number; retries: number }>()
  const started = now()
  const bucket = (): { runs: number; retries: number } => {
    const index = Math.floor((now() - started) / bucketMs)
    const found = buckets.get(index) ?? { runs: 0, retries: 0 }
    buckets.set(index, found)
    for (const old of buckets.keys()) if (old <= index - keep) buckets.delete(old)
    return found
  }
  const listen = (event: TraceEvent): void => {
    switch (event.type) {
      case 'run-started':
        totals.runs++
        bucket().runs++
        break
      case 'attempt-started':
        totals.attempts++
        if (event.attempt > 1) {
          totals.retries++
          bucket().retries++
        }
        break
      case 'checked':
        for (const key of new Set(event.issues.map(({ validator, code }) => `${validator}/${code}`))) add(failures, key)
        break
      case 'repaired':
        totals.repairs += event.repairs.length
        break
      case 'run-ended':
        add(statuses, event.status)
        break
    }
  }
  return {
    listen,
    counts: () => ({
      ...totals,
      statuses: Object.fromEntries(statuses),
      failures: Object.fromEntries(failures),
      retryRate: [...buckets].map(([index, counted]) => ({ index, ...counted })),
    }),
  }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
