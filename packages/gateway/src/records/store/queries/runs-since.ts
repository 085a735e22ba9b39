import type { RunSummary } from '../../run/run-record.ts'
import type { Engine } from '../engine/engine.ts'
import { ownedBy } from './owner-condition.ts'
import { pageSize, readSequence } from './page.ts'
import { runSummary, summaryColumns } from './run-summary.ts'

/** New runs since a cursor, in the order of their arrival. */
export interface RunFeed {
  readonly runs: readonly RunSummary[]
  /** The cursor for the next call. */
  readonly cursor: string
}

/**
 * Returns the runs after a cursor; without a cursor it starts after the newest.
 *
 * No run is missed or repeated: gateways write one at a time, under a lock, so a run never becomes visible after one with a larger number.
 */
export async function runsSince({ db }: Engine, cursor?: string, limit?: number, owner?: string): Promise<RunFeed> {
  if (cursor === undefined) {
    const newest = await db.selectFrom('runs').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
    return { runs: [], cursor: String(newest?.seq ?? 0) }
  }
  const rows = await db
    .selectFrom('runs')
    .select(summaryColumns)
    .where('seq', '>', readSequence(cursor))
    .where(ownedBy(owner))
    .orderBy('seq')
    .limit(pageSize(limit))
    .execute()
  return { runs: rows.map(runSummary), cursor: String(rows.at(-1)?.seq ?? cursor) }
}
