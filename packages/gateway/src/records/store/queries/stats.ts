import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { QueryError } from './page.ts'
import { ownedBy } from './run-filter.ts'
import { type CodeCounts, CodeTally, emptyTotals, plus, type RunSlice, readGroups, type Totals } from './run-groups.ts'

/** The period, in milliseconds since 1970: `since` inclusive, `until` exclusive. */
export interface StatsQuery {
  readonly since: number
  readonly until: number
  readonly bucketMs: number
  /** Only runs of this key. */
  readonly owner?: string
}

/** Counts of one period. */
export interface Bucket extends Totals {
  /** When the period begins. */
  readonly at: number
  /** Median duration; exact, absent without runs. */
  readonly p50Ms?: number
  /** 95th percentile of the duration; exact, absent without runs. */
  readonly p95Ms?: number
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
    const slice = { at, end: Math.min(until, at + bucketMs), condition: ownedBy(owner) }
    const bucket = await readBucket(engine, slice)
    buckets.push(bucket)
    if (bucket.runs === 0) continue
    await tally.add(engine, slice)
    await nextTurn()
  }
  return { since, until, bucketMs, buckets, runs: buckets.reduce((sum, { runs }) => sum + runs, 0), ...tally.top() }
}

async function readBucket(engine: Engine, slice: RunSlice): Promise<Bucket> {
  const { at, end, condition } = slice
  const rows = await readGroups(engine, slice, ['status'])
  const totals = rows.toSorted((a, b) => (a.status < b.status ? -1 : 1)).reduce(plus, emptyTotals)
  if (totals.runs === 0) return { at, ...totals }
  const percentile = async (share: number): Promise<number> => {
    const skip = Math.max(0, Math.ceil(totals.runs * share) - 1)
    const found = await sql<{ ms: number }>`
      select ms from runs where at >= ${at} and at < ${end} and ${condition} order by ms limit 1 offset ${skip}`.execute(engine.db)
    return found.rows[0]?.ms ?? 0
  }
  return { at, ...totals, p50Ms: await percentile(0.5), p95Ms: await percentile(0.95) }
}

/** Throws a QueryError unless `until` is after `since` and all are integers; the third is the size of a bucket. */
export function checkTimes([since, until, bucketMs]: readonly [since: number, until: number, bucketMs: number]): void {
  if ([since, until, bucketMs].every(Number.isSafeInteger) && until > since && bucketMs >= 1) return
  throw new QueryError('since, until and the size of a bucket must be whole numbers, and until must be after since')
}
