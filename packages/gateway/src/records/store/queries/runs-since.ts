import type { RunSummary } from '../../run/run-record.ts'
import type { Engine } from '../engine/engine.ts'
import { ownedBy } from './owned-by.ts'
import { pageSize, readSequence } from './page.ts'
import { runSummary, summaryColumns } from './run-summary.ts'

/** Runs that came since the last look, in the order in which they came. */
export interface RunFeed {
  readonly runs: readonly RunSummary[]
  /** Where to go on. */
  readonly cursor: string
}

/**
 * Follows the runs; without a cursor it begins behind the newest.
 *
 * No run is missed or told twice: gateways write one at a time, under a lock, so a run with a smaller number is never visible later than one with a larger.
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
