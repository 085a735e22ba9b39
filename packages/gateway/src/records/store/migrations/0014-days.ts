import { type Kysely, sql } from 'kysely'
import type { Tables } from '../engine/tables.ts'
import { type DayTable, dayMs, earlierName, moveRows, restName } from '../partitions/day-tables.ts'
import { createViews, dropViews } from '../views/views.ts'
import type { Migration } from './migration.ts'

interface Shape {
  /** What must be unique; the time is part of it because a partition knows only its own rows. */
  readonly unique: string
  readonly indexes: readonly string[]
  readonly hasSequence: boolean
}

const shapes: Readonly<Record<DayTable, Shape>> = {
  runs: {
    unique: 'id, at',
    indexes: [
      ...['(seq)', '(id)', '(at, id, ms)', '(status, at, id)', '(contract, at, id)', '(model, at, id)'],
      ...['(session, at, id) where session is not null', '(at, id) where session is not null', "(key_name, at) where key_name <> ''"],
    ],
    hasSequence: true,
  },
  issues: { unique: 'run_id, position, at', indexes: ['(code, at, run_id) where leads = 1', '(at) where leads = 1'], hasSequence: false },
  repairs: { unique: 'run_id, position, at', indexes: [], hasSequence: false },
  audit: { unique: 'id, at', indexes: ['(seq)', '(at)'], hasSequence: true },
}

/** A partition for each day in PostgreSQL, so that what is too old is dropped; the rows that are there stay where they are, in a partition of their own. */
export const days: Migration = {
  name: '0014-days',
  async up(db, { integer }, engine) {
    // 0 in repairs from before the column.
    await sql`alter table repairs add column at ${integer} not null default 0`.execute(db)
    if (engine === 'sqlite') return
    await sql`set local statement_timeout = 0`.execute(db)
    await dropViews(db)
    for (const table of ['attempts', 'issues', 'repairs']) {
      await sql`alter table ${sql.ref(table)} drop constraint if exists ${sql.ref(`${table}_run_id_fkey`)}`.execute(db)
    }
    const { rows } = await sql<{
      tomorrow: number
    }>`select (floor(extract(epoch from now()) / 86400) + 1) * ${sql.lit(dayMs)} as tomorrow`.execute(db)
    for (const table of Object.keys(shapes) as DayTable[]) await divide(db, table, rows[0]?.tomorrow ?? 0)
    await createViews(db, engine)
  },
}

async function divide(db: Kysely<Tables>, table: DayTable, tomorrow: number): Promise<void> {
  const { unique, indexes, hasSequence } = shapes[table]
  const [whole, earlier, rest] = [sql.ref(table), sql.ref(earlierName(table)), sql.ref(restName(table))]
  await sql`alter table ${whole} rename to ${earlier}`.execute(db)
  if (hasSequence) await sql`alter table ${earlier} alter column seq drop identity`.execute(db)
  await sql`create table ${whole} (like ${earlier} including defaults, unique (${sql.raw(unique)})) partition by range (at)`.execute(db)
  if (hasSequence) await numberOn(db, table)
  for (const index of indexes) await sql`/* slow */ create index on ${whole} ${sql.raw(index)}`.execute(db)
  await sql`create table ${rest} partition of ${whole} default`.execute(db)
  const { rows } = await sql`select 1 from ${earlier} limit 1`.execute(db)
  if (rows.length === 0) {
    await sql`drop table ${earlier}`.execute(db)
    return
  }
  // Of a clock that was ahead.
  await moveRows(earlierName(table), restName(table), tomorrow).execute(db)
  await sql`/* slow */ alter table ${whole} attach partition ${earlier} for values from (minvalue) to (${sql.lit(tomorrow)})`.execute(db)
}

/** Counts on from the largest number that was given. */
async function numberOn(db: Kysely<Tables>, table: DayTable): Promise<void> {
  const sequence = `stickler_${table}_seq`
  await sql`create sequence ${sql.ref(sequence)} owned by ${sql.ref(`${table}.seq`)}`.execute(db)
  await sql`select setval(${sql.lit(sequence)}, (select coalesce(max(seq), 0) + 1 from ${sql.ref(earlierName(table))}), false)`.execute(db)
  await sql`alter table ${sql.ref(table)} alter column seq set default nextval(${sql.lit(sequence)})`.execute(db)
}
