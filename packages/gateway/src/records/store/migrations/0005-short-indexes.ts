import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Indexes of SQLite without ids: runs of the same millisecond are few and sorted when they are read, and every write gets cheaper. */
export const shortIndexes: Migration = {
  name: '0005-short-indexes',
  async up(db, _types, engine) {
    // Writes to PostgreSQL cost this process nothing more for them, and making them anew may take longer than a statement is given.
    if (engine === 'postgres') return
    for (const name of ['newest', 'by_status', 'by_contract', 'by_model']) await sql`drop index ${sql.ref(`runs_${name}`)}`.execute(db)
    await sql`create index runs_newest on runs (at, ms)`.execute(db)
    await sql`create index runs_by_status on runs (status, at)`.execute(db)
    await sql`create index runs_by_contract on runs (contract, at)`.execute(db)
    await sql`create index runs_by_model on runs (model, at)`.execute(db)
  },
}
