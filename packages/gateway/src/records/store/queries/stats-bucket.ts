import { sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { ownedBy } from './owner-condition.ts'

/** Counts of one period. */
export interface Bucket {
  /** When the period begins. */
  readonly at: number
  readonly runs: number
  /** Number of runs by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly attempts: number
  /** Attempts after the first. */
  readonly retries: number
  readonly repairs: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cost: number
  /** Median duration; exact, absent without runs. */
  readonly p50Ms?: number
  /** 95th percentile of the duration; exact, absent without runs. */
  readonly p95Ms?: number
}

interface StatusRow {
  readonly status: string
  readonly runs: number
  readonly attempts: number
  readonly retries: number
  readonly repairs: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly cost: number
}

/** An empty bucket. */
export function emptyBucket(at: number): Bucket {
  return { at, runs: 0, statuses: {}, attempts: 0, retries: 0, repairs: 0, promptTokens: 0, completionTokens: 0, cost: 0 }
}

/** Reads one bucket; undefined when it is empty. */
export async function readBucket({ db }: Engine, at: number, end: number, owner?: string): Promise<Bucket | undefined> {
  const whose = ownedBy(owner)
  const { rows } = await sql<StatusRow>`
    select status, count(*) as runs, sum(attempt_count) as attempts,
      sum(case when attempt_count > 1 then attempt_count - 1 else 0 end) as retries, sum(repair_count) as repairs,
      sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens, sum(coalesce(cost, 0)) as cost
    from runs where at >= ${at} and at < ${end} and ${whose} group by status order by status`.execute(db)
  if (rows.length === 0) return undefined
  const sum = (name: Exclude<keyof StatusRow, 'status'>) => rows.reduce((total, row) => total + row[name], 0)
  const runs = sum('runs')
  const percentile = async (share: number): Promise<number> => {
    const skip = Math.max(0, Math.ceil(runs * share) - 1)
    const found = await sql<{ ms: number }>`
      select ms from runs where at >= ${at} and at < ${end} and ${whose} order by ms limit 1 offset ${skip}`.execute(db)
    return found.rows[0]?.ms ?? 0
  }
  return {
    at,
    runs,
    statuses: Object.fromEntries(rows.map(({ status, runs }) => [status, runs])),
    attempts: sum('attempts'),
    retries: sum('retries'),
    repairs: sum('repairs'),
    promptTokens: sum('prompt_tokens'),
    completionTokens: sum('completion_tokens'),
    cost: sum('cost'),
    p50Ms: await percentile(0.5),
    p95Ms: await percentile(0.95),
  }
}
