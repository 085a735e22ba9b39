import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import type { Tables } from '../rows/tables.ts'
import { type DayTable, dayMs, dayName, dayTables, moveRows, partitionsOf, restName } from './day-tables.ts'

/** Days ahead for which there are partitions: enough for a database that nothing reaches over a long weekend. */
const daysAhead = 7

const tables: readonly DayTable[] = [...dayTables.runs, ...dayTables.audit]

/** Makes the partitions of today and the next days that are missing; whichever gateway comes first makes them all, the others go on. Does nothing where there are no partitions. */
export async function makeDays(engine: Engine, now: number): Promise<void> {
  if (engine.name !== 'postgres') return
  const missing = await missingDays(engine.db, now)
  if (missing.length === 0) return
  await engine.alone('makeDays', async (db) => {
    // Another gateway may have been here since.
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
  // Rows of the day that came before their partition.
  await moveRows(restName(table), dayName(table, day), from, to).execute(db)
  // Attaching locks only the partition for the rest; making a partition in one step would lock the whole table.
  await sql`alter table ${whole} attach partition ${part} for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(db)
}
