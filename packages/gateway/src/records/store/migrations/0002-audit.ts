import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** The audit of `/ask`. */
export const audit: Migration = {
  name: '0002-audit',
  async up(db, { text, integer, sequence }) {
    await sql`create table audit (seq ${sequence}, id ${text} not null unique, at ${integer} not null, "row" ${text} not null)`.execute(db)
    await sql`create index audit_by_time on audit (at)`.execute(db)
  },
}
