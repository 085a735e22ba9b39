import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Finds the runs of one key, which is all that its client may see; runs without a key cost nothing. */
export const owners: Migration = {
  name: '0006-owners',
  async up(db, _types, engine) {
    // An index on a large table takes longer than a statement is given otherwise.
    if (engine === 'postgres') await sql`set local statement_timeout = 0`.execute(db)
    await sql`create index runs_by_key on runs (key_name, at) where key_name <> ''`.execute(db)
  },
}
