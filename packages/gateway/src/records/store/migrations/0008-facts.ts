import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** JSON of the facts that a preset declares in place of a column for one of them; the table is not written anew. */
export const facts: Migration = {
  name: '0008-facts',
  async up(db, _types, engine) {
    // Rows that have a step may be many.
    if (engine === 'postgres') await sql`set local statement_timeout = 0`.execute(db)
    await sql`alter table runs rename column step to facts`.execute(db)
    const packed = engine === 'postgres' ? sql`cast(json_build_object('step', facts) as text)` : sql`json_object('step', facts)`
    await sql`update runs set facts = ${packed} where facts is not null`.execute(db)
  },
}
