import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** JSON of the way through the graph of a pipeline; null in runs without one, and in runs from before the column. */
export const pipeline: Migration = {
  name: '0012-pipeline',
  async up(db, { text }) {
    await sql`alter table runs add column pipeline ${text}`.execute(db)
  },
}
