import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Sessions of commands that further requests may resume: hashes and ids, no words. */
export const runnerSessions: Migration = {
  name: '0009-runner-sessions',
  async up(db, { text, integer }) {
    await sql`create table runner_sessions (key ${text} not null primary key, at ${integer} not null, session ${text} not null)`.execute(db)
    await sql`create index runner_sessions_age on runner_sessions (at, key)`.execute(db)
  },
}
