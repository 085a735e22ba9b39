import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Engine } from '../engine/engine.ts'
import { type CodeCounts, CodeTally } from './code-tally.ts'
import { ownedBy } from './owner-condition.ts'
import { QueryError } from './page.ts'
import { type Bucket, emptyBucket, readBucket } from './stats-bucket.ts'

/** The period, in milliseconds since 1970: `since` inclusive, `until` exclusive. */
export interface StatsQuery {
  readonly since: number
  readonly until: number
  readonly bucketMs: number
  /** Only runs of this key. */
  readonly owner?: string
}

/** Counts over time. */
export interface Stats extends CodeCounts {
  readonly since: number
  readonly until: number
  /** Larger than requested if there would be more than 200 buckets. */
  readonly bucketMs: number
  /** One for every period, including empty ones. */
  readonly buckets: readonly Bucket[]
  /** The sum of all buckets. */
  readonly runs: number
}

const mostBuckets = 200

/** Counts runs over time; one query for each bucket, so that none blocks the event loop for long. */
export async function stats(engine: Engine, query: StatsQuery): Promise<Stats> {
  const { since, until, owner } = query
  checkTimes([since, until, query.bucketMs])
  const bucketMs = Math.max(query.bucketMs, Math.ceil((until - since) / mostBuckets))
  const buckets: Bucket[] = []
  const tally = new CodeTally()
  for (let at = since; at < until; at += bucketMs) {
    const end = Math.min(until, at + bucketMs)
    const bucket = await readBucket(engine, at, end, owner)
    buckets.push(bucket ?? emptyBucket(at))
    if (!bucket) continue
    await tally.add(engine, at, end, ownedBy(owner))
    await nextTurn()
  }
  return { since, until, bucketMs, buckets, runs: buckets.reduce((sum, { runs }) => sum + runs, 0), ...tally.top() }
}

/** Throws a QueryError unless `until` is after `since` and all are integers; the third is the size of a bucket. */
export function checkTimes([since, until, bucketMs]: readonly [since: number, until: number, bucketMs: number]): void {
  if ([since, until, bucketMs].every(Number.isSafeInteger) && until > since && bucketMs >= 1) return
  throw new QueryError('since, until and the size of a bucket must be whole numbers, and until must be after since')
}
