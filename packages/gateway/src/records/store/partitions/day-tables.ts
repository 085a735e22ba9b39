import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../rows/tables.ts'

/** The tables that PostgreSQL keeps in a partition for each day (UTC), by the time of the run or row. */
export const dayTables = {
  /** Runs and their parts, which are deleted together. */
  runs: ['runs', 'issues', 'repairs'],
  audit: ['audit'],
} as const

/** A table with partitions. */
export type DayTable = (typeof dayTables)[keyof typeof dayTables][number]

/** One day in milliseconds. */
export const dayMs = 86_400_000

/** A partition with its bounds, `from` inclusive and `to` exclusive; the default partition has none. */
interface Partition {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly isDefault: boolean
}

/** All partitions of a table. */
export async function partitionsOf(db: Kysely<Tables>, table: DayTable): Promise<readonly Partition[]> {
  const { rows } = await sql<{ name: string; bound: string }>`
    select child.relname as name, pg_get_expr(child.relpartbound, child.oid) as bound
    from pg_inherits join pg_class as child on child.oid = pg_inherits.inhrelid
    where pg_inherits.inhparent = to_regclass(${table})`.execute(db)
  return rows.map(({ name, bound }) => {
    const [, from = '', to = ''] = /FROM \((MINVALUE|'?-?\d+'?)\) TO \((MAXVALUE|'?-?\d+'?)\)/.exec(bound) ?? []
    return { name, isDefault: bound === 'DEFAULT', from: boundOf(from), to: boundOf(to) }
  })
}

function boundOf(written: string): number {
  if (written === 'MINVALUE') return Number.NEGATIVE_INFINITY
  if (written === 'MAXVALUE') return Number.POSITIVE_INFINITY
  return written === '' ? Number.NaN : Number(written.replaceAll("'", ''))
}

/** The name of the partition of a day, such as `runs_20260131`. */
export function dayName(table: DayTable, day: number): string {
  return `${table}_${new Date(day * dayMs).toISOString().slice(0, 10).replaceAll('-', '')}`
}

/** The default partition, for rows of days without a partition. */
export function restName(table: DayTable): string {
  return `${table}_rest`
}

/** Moves the rows of a period from one table to another. */
export function moveRows(source: string, target: string, from: number, to: number): RawBuilder<unknown> {
  return sql`/* slow */ with moved as (delete from ${sql.ref(source)} where at >= ${sql.lit(from)} and at < ${sql.lit(to)} returning *)
    insert into ${sql.ref(target)} select * from moved`
}
