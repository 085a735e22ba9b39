import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Runs with their attempts, issues and repairs. */
export const runs: Migration = {
  name: '0001-runs',
  async up(db, { text, integer, real, sequence }) {
    await sql`create table runs (
      seq ${sequence}, id ${text} not null unique, at ${integer} not null, ms ${real} not null, status ${text} not null,
      attempt_count ${integer} not null, issue_count ${integer} not null, fixed_count ${integer} not null, repair_count ${integer} not null,
      prompt_tokens ${integer} not null, completion_tokens ${integer} not null, cost ${real}, contract ${text} not null, model ${text} not null,
      api ${text} not null, session ${text}, stream ${integer} not null, http_status ${integer} not null, first_text_ms ${real},
      upstream ${text} not null, upstream_model ${text} not null, key_name ${text} not null, request_id ${text} not null,
      choice ${integer} not null, reason ${text} not null, step ${text}, failure_kind ${text}, failure_status ${integer}, failure_message ${text},
      unchecked ${text}, request ${text}, text ${text})`.execute(db)
    await sql`create table attempts (
      run_id ${text} not null references runs (id) on delete cascade, position ${integer} not null, number ${integer} not null,
      call ${text} not null, ms ${real} not null, finish_reason ${text}, prompt_tokens ${integer}, completion_tokens ${integer}, cost ${real}, stopped_at ${integer}, decision ${text},
      text ${text}, feedback ${text}, primary key (run_id, position))`.execute(db)
    await sql`create table issues (
      run_id ${text} not null references runs (id) on delete cascade, position ${integer} not null, kind ${text} not null,
      attempt ${integer} not null, at ${integer} not null, validator ${text} not null, code ${text} not null, severity ${text} not null,
      leads ${integer} not null, message ${text} not null, detail ${text}, primary key (run_id, position))`.execute(db)
    await sql`create table repairs (
      run_id ${text} not null references runs (id) on delete cascade, position ${integer} not null, rule ${text} not null,
      class ${text} not null, detail ${text} not null, primary key (run_id, position))`.execute(db)

    await sql`create index runs_newest on runs (at, id, ms)`.execute(db)
    await sql`create index runs_by_status on runs (status, at, id)`.execute(db)
    await sql`create index runs_by_contract on runs (contract, at, id)`.execute(db)
    await sql`create index runs_by_model on runs (model, at, id)`.execute(db)
    await sql`create index runs_by_session on runs (session, at, id) where session is not null`.execute(db)
    await sql`create index runs_with_session on runs (at, id) where session is not null`.execute(db)
    await sql`create index issues_by_code on issues (code, at, run_id) where leads = 1`.execute(db)
    await sql`create index issues_newest on issues (at) where leads = 1`.execute(db)
  },
}
