import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Engine } from './engine/engine.ts'
import { purgeLabels } from './labels.ts'
import { dayMs, dayName, dayTables, partitionsOf, restName } from './partitions/day-tables.ts'
import { makeDays } from './partitions/make-days.ts'
import { widths } from './rollups/widths.ts'

/** What a purge deleted. */
export interface Purged {
  readonly runs: number
  readonly audit: number
}

const batch = 200
/** How long budgets and sessions of commands are stored without a retention for runs; Claude forgets its own sessions after the same time. */
const usualDays = 30

/** The retention: in days, or for ever. */
interface Retention {
  readonly retentionDays: number | undefined
  readonly auditRetentionDays: number | undefined
  readonly now: () => number
}

/** Deletes what is older than the retention: in SQLite in small batches with pauses, in PostgreSQL whole days at a time. */
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
  await makeDays(engine, now())
  const runs = await purgeOld(engine, 'runs', retentionDays, now)
  if (retentionDays !== undefined) await purgeLabels(engine, now() - (retentionDays - 1) * dayMs)
  await purgeSums(engine, retentionDays, now())
  const audit = await purgeOld(engine, 'audit', auditRetentionDays, now)
  return { runs, audit }
}

async function purgeOld(engine: Engine, table: 'runs' | 'audit', days: number | undefined, now: () => number): Promise<number> {
  if (days === undefined) return 0
  const before = now() - days * dayMs
  if (engine.name === 'sqlite') return inBatches(engine, table, before)
  return (await dropDays(engine, table, before)) + (await inBatches(engine, restName(table), before))
}

/** Deletes the oldest rows of a table; parts of runs are deleted with them. */
async function inBatches({ db, name }: Engine, table: string, before: number): Promise<number> {
  const target = sql.table(table)
  const isOfRuns = table.startsWith('runs')
  for (let removed = 0; ; ) {
    const { rows } = await sql<{ id: string; seq: number }>`delete from ${target}
      where seq in (select seq from ${target} where at < ${before} order by at limit ${sql.lit(batch)}) returning id, seq`.execute(db)
    // Only SQLite has foreign keys: partitions are dropped without reading each row.
    if (name === 'postgres' && isOfRuns && rows.length > 0)
      await deleteParts(
        db,
        rows.map(({ id }) => id),
      )
    if (name === 'sqlite' && isOfRuns && rows.length > 0)
      await sql`delete from run_words where rowid in (${sql.join(rows.map(({ seq }) => seq))})`.execute(db)
    removed += rows.length
    if (rows.length === 0) return removed
    await nextTurn()
  }
}

/** Deletes sums of periods that are over the retention, and narrow ones earlier; words are deleted with their runs. */
async function purgeSums({ db, name }: Engine, retentionDays: number | undefined, now: number): Promise<void> {
  for (const { width, days } of widths) {
    const kept = Math.min(days, retentionDays ?? days)
    if (Number.isFinite(kept))
      await db
        .deleteFrom('rollups')
        .where('width', '=', width)
        .where('at', '<', now - kept * dayMs - width)
        .execute()
  }
  if (name === 'postgres' && retentionDays !== undefined)
    await sql`delete from run_words where at < ${now - retentionDays * dayMs}
      and not exists (select 1 from runs where runs.seq = run_words.seq)`.execute(db)
}

async function deleteParts(db: Engine['db'], ids: readonly string[]): Promise<void> {
  for (const table of ['issues', 'repairs'] as const) await db.deleteFrom(table).where('run_id', 'in', ids).execute()
}

/** Drops the partitions of days beyond the retention, and returns how many runs or rows they had. One gateway does it for all. */
async function dropDays(engine: Engine, group: keyof typeof dayTables, before: number): Promise<number> {
  const [leading, ...parts] = dayTables[group]
  const over = async (db: Engine['db']) => (await partitionsOf(db, leading)).filter(({ to }) => to <= before)
  if ((await over(engine.db)).length === 0) return 0
  let dropped = 0
  await engine.alone(group === 'runs' ? 'dropRuns' : 'dropAudit', async (db) => {
    for (const { name, from } of await over(db)) {
      const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.ref(name)}`.execute(db)
      for (const table of [...parts, leading]) await sql`drop table if exists ${sql.ref(dayName(table, from / dayMs))}`.execute(db)
      dropped += rows[0]?.rows ?? 0
    }
  })
  return dropped
}
