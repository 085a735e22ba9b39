import { sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { QueryError } from '../queries/page.ts'
import { ownedBy } from '../queries/run-filter.ts'
import { checkSpan, exactCells, mostCombinations, type Span } from './read-cells.ts'
import { type CodeCount, frequentCodes, named, plainTotals, type Totals } from './summary.ts'
import { Period } from './sums.ts'

/** The period, and the length of its buckets in milliseconds. */
export interface StatsQuery extends Span {
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

/** Counts over time, and the most frequent errors: over all, by contract and by model. */
export interface Stats extends Span {
  /** Larger than requested if there would be more than 200 buckets. */
  readonly bucketMs: number
  /** One for every period, including empty ones. */
  readonly buckets: readonly Bucket[]
  /** The sum of all buckets. */
  readonly runs: number
  readonly codes: readonly CodeCount[]
  readonly codesByContract: readonly (CodeCount & { readonly contract: string })[]
  readonly codesByModel: readonly (CodeCount & { readonly model: string })[]
}

const mostBuckets = 200
const topCodes = 20

/** Counts runs over time. */
export async function stats(engine: Engine, { since, until, owner, ...asked }: StatsQuery, now: number): Promise<Stats> {
  checkSpan({ since, until })
  if (!Number.isSafeInteger(asked.bucketMs) || asked.bucketMs < 1) throw new QueryError('the size of a bucket must be a whole number')
  const bucketMs = Math.max(asked.bucketMs, Math.ceil((until - since) / mostBuckets))
  const match = owner === undefined ? {} : { owner }
  const buckets: Bucket[] = []
  const names = new Period(mostCombinations)
  for (let at = since; at < until; at += bucketMs) {
    const span = { since: at, until: Math.min(until, at + bucketMs) }
    const bucket = new Period(mostCombinations)
    for await (const cells of exactCells(engine, match, span, now)) bucket.addAll(cells)
    names.addAll(bucket.cells)
    const totals = plainTotals(bucket.all)
    buckets.push({ at, ...totals, ...(totals.runs > 0 && (await percentiles(engine, span, totals.runs, owner))) })
  }
  const codesBy = <Name extends 'contract' | 'model'>(dimension: Name) =>
    named(names, dimension)
      .flatMap(([name, sums]) => frequentCodes(sums).map((count) => ({ [dimension]: name, ...count }) as CodeCount & Record<Name, string>))
      .sort((a, b) => b.runs - a.runs || (a.code < b.code ? -1 : 1))
      .slice(0, topCodes)
  const runs = buckets.reduce((sum, bucket) => sum + bucket.runs, 0)
  const codes = { codes: frequentCodes(names.all), codesByContract: codesBy('contract'), codesByModel: codesBy('model') }
  return { since, until, bucketMs, buckets, runs, ...codes }
}

async function percentiles({ db }: Engine, { since, until }: Span, runs: number, owner: string | undefined) {
  const percentile = async (share: number): Promise<number> => {
    const skip = Math.max(0, Math.ceil(runs * share) - 1)
    const found = await sql<{ ms: number }>`select ms from runs where at >= ${since} and at < ${until} and ${ownedBy(owner)}
      order by ms limit 1 offset ${skip}`.execute(db)
    return found.rows[0]?.ms ?? 0
  }
  return { p50Ms: await percentile(0.5), p95Ms: await percentile(0.95) }
}
