import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** The answer cache and the spending of `/ask`. */
export const ask: Migration = {
  name: '0003-ask',
  async up(db, { text, integer, real }) {
    await sql`create table answer_cache (
      key ${text} not null primary key, at ${integer} not null, expires_at ${integer} not null, value ${text} not null)`.execute(db)
    await sql`create index answer_cache_expiry on answer_cache (expires_at)`.execute(db)
    await sql`create index answer_cache_age on answer_cache (at, key)`.execute(db)
    await sql`create table spend (
      tenant ${text} not null, day ${integer} not null, usd ${real} not null, primary key (tenant, day))`.execute(db)
  },
}
