import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** One column of JSON for the attempts of a run, which are only read together: rows of their own made writing a run dearer. */
export const packedAttempts: Migration = {
  name: '0004-packed-attempts',
  async up(db, { text }) {
    await sql`alter table runs add column attempts ${text}`.execute(db)
  },
}
