import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import type { Tables } from '../rows/tables.ts'
import { type DayTable, dayMs, dayName, dayTables, moveRows, partitionsOf, restName } from './day-tables.ts'

/** Days ahead for which there are partitions: enough for a long weekend without a connection to the database. */
const daysAhead = 7

const tables: readonly DayTable[] = [...dayTables.runs, ...dayTables.audit]

/** Creates the missing partitions of today and the next days; the first gateway creates them all, the others skip it. Does nothing without partitions. */
export async function makeDays(engine: Engine, now: number): Promise<void> {
  if (engine.name !== 'postgres') return
  const missing = await missingDays(engine.db, now)
  if (missing.length === 0) return
  await engine.alone('makeDays', async (db) => {
    // Another gateway may have created them meanwhile.
    for (const { table, day } of await missingDays(db, now)) await makeDay(db, table, day)
  })
}

interface Missing {
  readonly table: DayTable
  /** Days since 1970. */
  readonly day: number
}

async function missingDays(db: Kysely<Tables>, now: number): Promise<readonly Missing[]> {
  const today = Math.floor(now / dayMs)
  const days = Array.from({ length: daysAhead + 1 }, (_, ahead) => today + ahead)
  const missing: Missing[] = []
  for (const table of tables) {
    const partitions = await partitionsOf(db, table)
    const isMissing = (day: number) => !partitions.some(({ from, to }) => from <= day * dayMs && to > day * dayMs)
    missing.push(...days.filter(isMissing).map((day) => ({ table, day })))
  }
  return missing
}

async function makeDay(db: Kysely<Tables>, table: DayTable, day: number): Promise<void> {
  const [from, to] = [day * dayMs, (day + 1) * dayMs]
  const [whole, part] = [sql.ref(table), sql.ref(dayName(table, day))]
  await sql`create table ${part} (like ${whole} including defaults)`.execute(db)
  // Rows of the day that were written before its partition existed.
  await moveRows(restName(table), dayName(table, day), from, to).execute(db)
  // Attaching locks only the default partition; creating a partition in one step would lock the whole table.
  await sql`alter table ${whole} attach partition ${part} for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(db)
}
