import { sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { dayMs, dayName, dayTables, partitionsOf } from './day-tables.ts'

/** Drops the partitions of days beyond the retention, and returns how many runs or rows they had. One gateway does it for all. */
export async function dropDays(engine: Engine, group: keyof typeof dayTables, before: number): Promise<number> {
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
