import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Whether the text of a run reached the client as its answer; null in runs from before the column. */
export const delivered: Migration = {
  name: '0011-delivered',
  async up(db, { integer }) {
    await sql`alter table runs add column delivered ${integer}`.execute(db)
  },
}
