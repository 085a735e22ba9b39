import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { ownedBy } from './owned-by.ts'
import { QueryError } from './query-error.ts'
import { type Bucket, emptyBucket, readBucket } from './stats-bucket.ts'

/** What time is looked at, in milliseconds since 1970: `since` belongs to it, `until` does not. */
export interface StatsQuery {
  readonly since: number
  readonly until: number
  readonly bucketMs: number
  /** Name of the key whose runs are counted. */
  readonly owner?: string
}

/** Numbers over time. */
export interface Stats extends CodeCounts {
  readonly since: number
  readonly until: number
  /** Larger than asked for when there would have been more than 200 buckets. */
  readonly bucketMs: number
  /** One for every part of the time, empty ones included. */
  readonly buckets: readonly Bucket[]
  /** Over the whole time. */
  readonly runs: number
}

const mostBuckets = 200

/** Counts runs over time; one bucket at a time, so that no query holds up the event loop for long. */
export async function stats(engine: Engine, query: StatsQuery): Promise<Stats> {
  const { since, until, owner } = query
  if (![since, until, query.bucketMs].every(Number.isSafeInteger) || until <= since || query.bucketMs < 1) {
    throw new QueryError('since, until and the size of a bucket must be whole numbers, and until must be after since')
  }
  const bucketMs = Math.max(query.bucketMs, Math.ceil((until - since) / mostBuckets))
  const buckets: Bucket[] = []
  const tally = new CodeTally()
  for (let at = since; at < until; at += bucketMs) {
    const end = Math.min(until, at + bucketMs)
    const bucket = await readBucket(engine, at, end, owner)
    buckets.push(bucket ?? emptyBucket(at))
    if (!bucket) continue
    await tally.add(engine, at, end, owner)
    await nextTurn()
  }
  return { since, until, bucketMs, buckets, runs: buckets.reduce((sum, { runs }) => sum + runs, 0), ...tally.top() }
}

/** In how many runs an error occurred. */
interface CodeCount {
  readonly validator: string
  readonly code: string
  readonly runs: number
}

/** The most frequent errors: over all, by contract and by model. */
interface CodeCounts {
  readonly codes: readonly CodeCount[]
  readonly codesByContract: readonly (CodeCount & { readonly contract: string })[]
  readonly codesByModel: readonly (CodeCount & { readonly model: string })[]
}

interface GroupRow extends CodeCount {
  readonly contract: string
  readonly model: string
}

const mostGroups = 1000
const mostKeys = 5000
const topKeys = 20

/** Adds up the errors of several parts of the time; of each part the 1000 most frequent groups count. */
class CodeTally {
  readonly #codes = new Map<string, CodeCount>()
  readonly #byContract = new Map<string, CodeCount & { readonly contract: string }>()
  readonly #byModel = new Map<string, CodeCount & { readonly model: string }>()

  async add({ db }: Engine, at: number, end: number, owner?: string): Promise<void> {
    const { rows } = await sql<GroupRow>`
      select issues.validator, issues.code, runs.contract, runs.model, count(*) as runs
      from issues join runs on runs.id = issues.run_id
      where issues.leads = 1 and issues.severity = 'error' and issues.at >= ${at} and issues.at < ${end} and ${ownedBy(owner)}
      group by issues.validator, issues.code, runs.contract, runs.model order by count(*) desc limit ${sql.lit(mostGroups)}`.execute(db)
    for (const { validator, code, contract, model, runs } of rows) {
      count(this.#codes, { validator, code, runs })
      count(this.#byContract, { contract, validator, code, runs })
      count(this.#byModel, { model, validator, code, runs })
    }
  }

  top(): CodeCounts {
    return { codes: largest(this.#codes), codesByContract: largest(this.#byContract), codesByModel: largest(this.#byModel) }
  }
}

function count<Counted extends CodeCount>(counts: Map<string, Counted>, { runs, ...group }: Counted): void {
  const key = JSON.stringify(group)
  const known = counts.get(key)
  if (!known && counts.size >= mostKeys) return
  counts.set(key, { ...group, runs: (known?.runs ?? 0) + runs } as Counted)
}

function largest<Counted extends CodeCount>(counts: Map<string, Counted>): readonly Counted[] {
  return [...counts.values()].sort((a, b) => b.runs - a.runs || (a.code < b.code ? -1 : 1)).slice(0, topKeys)
}
