import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** What keys have spent on a day and what is set aside for requests under way; whole numbers, so that sums are exact. */
export const budgets: Migration = {
  name: '0007-budgets',
  async up(db, { text, integer }) {
    await sql`create table key_budgets (
      key_name ${text} not null, day ${integer} not null,
      tokens ${integer} not null, nano_usd ${integer} not null,
      held_tokens ${integer} not null, held_nano_usd ${integer} not null,
      primary key (key_name, day))`.execute(db)
    await sql`create table reservations (
      id ${text} not null primary key, key_name ${text} not null, day ${integer} not null,
      tokens ${integer} not null, nano_usd ${integer} not null,
      risk_tokens ${integer} not null, risk_nano_usd ${integer} not null,
      made_at ${integer} not null, expires_at ${integer} not null, lost ${integer} not null)`.execute(db)
    await sql`create index reservations_key on reservations (key_name, lost, expires_at)`.execute(db)
    // What was spent today under the names from before.
    await sql`insert into key_budgets (key_name, day, tokens, nano_usd, held_tokens, held_nano_usd)
      select substr(tenant, 8), day, cast(usd as ${integer}), 0, 0, 0 from spend where substr(tenant, 1, 7) = 'tokens '`.execute(db)
    await sql`insert into key_budgets (key_name, day, tokens, nano_usd, held_tokens, held_nano_usd)
      select substr(tenant, 5), day, 0, cast(usd * 1000000000 as ${integer}), 0, 0 from spend where substr(tenant, 1, 4) = 'usd '
      on conflict (key_name, day) do update set nano_usd = excluded.nano_usd`.execute(db)
    await sql`delete from spend where substr(tenant, 1, 7) = 'tokens ' or substr(tenant, 1, 4) = 'usd '`.execute(db)
    await sql`alter table runs add column estimated ${integer}`.execute(db)
  },
}
