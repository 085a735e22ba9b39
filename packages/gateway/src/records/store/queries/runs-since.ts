import { sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { type ListedRow, type ListedRun, listedColumns, listedRuns } from './listed-run.ts'
import { pageSize, readSequence } from './page.ts'
import { allOf, conditionsOf, type RunMatch, timeConditions } from './run-filter.ts'

/** New runs since a cursor, in the order of their arrival. */
export interface RunFeed {
  readonly runs: readonly ListedRun[]
  /** The cursor for the next call. */
  readonly cursor: string
}

/**
 * Returns the runs after a cursor; without a cursor it starts after the newest.
 *
 * No run is missed or repeated: gateways write one at a time, under a lock, so a run never becomes visible after one with a larger number.
 */
export async function runsSince(engine: Engine, cursor?: string, limit?: number, match: RunMatch = {}): Promise<RunFeed> {
  const { db } = engine
  const newest = (await db.selectFrom('runs').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst())?.seq ?? 0
  if (cursor === undefined) return { runs: [], cursor: String(newest) }
  const since = readSequence(cursor)
  const size = pageSize(limit)
  const conditions = [...conditionsOf(match), ...timeConditions(match, 'runs.at')]
  const { rows } = await sql<ListedRow>`select ${listedColumns} from runs where seq > ${since} and seq <= ${newest} and ${allOf(conditions)}
    order by seq limit ${sql.lit(size)}`.execute(db)
  // After the last page there is nothing up to the newest that matches.
  const next = rows.length < size ? Math.max(since, newest) : (rows.at(-1)?.seq ?? since)
  return { runs: await listedRuns(engine, rows), cursor: String(next) }
}
