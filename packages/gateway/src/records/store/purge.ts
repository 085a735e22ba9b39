import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Engine } from './engine/engine.ts'
import { dayMs, widths } from './rollups/widths.ts'

/** What a purge deleted. */
export interface Purged {
  readonly runs: number
  readonly audit: number
}

/** Rows of one transaction: SQLite blocks the event loop meanwhile. */
const batches = { sqlite: 200, postgres: 2000 } as const
/** How long budgets and sessions of commands are stored without a retention for runs; Claude forgets its own sessions after the same time. */
const usualDays = 30

/** The retention: in days, or for ever. */
interface Retention {
  readonly retentionDays: number | undefined
  readonly auditRetentionDays: number | undefined
  readonly now: () => number
}

/** Deletes what is older than the retention, in batches with pauses. */
export async function purge(engine: Engine, { retentionDays, auditRetentionDays, now }: Retention): Promise<Purged> {
  const { db } = engine
  await db.deleteFrom('answer_cache').where('expires_at', '<=', now()).execute()
  // Even if runs are kept for ever: a past day matters only to requests that began on it, and after a clock jumped back.
  const over = Math.floor(now() / dayMs) - Math.max(2, Math.ceil(retentionDays ?? usualDays))
  await db.deleteFrom('key_budgets').where('day', '<', over).execute()
  await db.deleteFrom('reservations').where('day', '<', over).execute()
  await db
    .deleteFrom('runner_sessions')
    .where('at', '<', now() - (retentionDays ?? usualDays) * dayMs)
    .execute()
  const runs = await purgeOld(engine, 'runs', retentionDays, now)
  await purgeSums(engine, retentionDays, now())
  const audit = await purgeOld(engine, 'audit', auditRetentionDays, now)
  return { runs, audit }
}

/** Deletes the oldest rows of a table, runs with all their parts. */
async function purgeOld(engine: Engine, table: 'runs' | 'audit', days: number | undefined, now: () => number): Promise<number> {
  if (days === undefined) return 0
  const before = now() - days * dayMs
  for (let removed = 0; ; ) {
    const count = await engine.transaction(async (db) => {
      const { rows } = await sql<{ id: string; seq: number }>`delete from ${sql.table(table)} where seq in
        (select seq from ${sql.table(table)} where at < ${before} order by at limit ${sql.lit(batches[engine.name])}) returning id, seq`.execute(
        db,
      )
      if (table === 'runs' && rows.length > 0) await deleteParts(db, engine.name, rows)
      return rows.length
    })
    removed += count
    if (count === 0) return removed
    await nextTurn()
  }
}

async function deleteParts(
  db: Engine['db'],
  engine: Engine['name'],
  runs: readonly { readonly id: string; readonly seq: number }[],
): Promise<void> {
  const ids = runs.map(({ id }) => id)
  for (const table of ['issues', 'repairs'] as const) await db.deleteFrom(table).where('run_id', 'in', ids).execute()
  const seq = sql.ref(engine === 'sqlite' ? 'rowid' : 'seq')
  await sql`delete from run_words where ${seq} in (${sql.join(runs.map((run) => run.seq))})`.execute(db)
}

/** Deletes sums of periods that are over the retention, and narrow ones earlier. */
async function purgeSums({ db }: Engine, retentionDays: number | undefined, now: number): Promise<void> {
  for (const { width, days } of widths) {
    const kept = Math.min(days, retentionDays ?? days)
    if (Number.isFinite(kept))
      await db
        .deleteFrom('rollups')
        .where('width', '=', width)
        .where('at', '<', now - kept * dayMs - width)
        .execute()
  }
}
