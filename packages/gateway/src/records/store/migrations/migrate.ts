import { sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import { runs } from './0001-runs.ts'
import { audit } from './0002-audit.ts'
import { ask } from './0003-ask.ts'
import { packedAttempts } from './0004-packed-attempts.ts'
import { shortIndexes } from './0005-short-indexes.ts'
import { owners } from './0006-owners.ts'
import { budgets } from './0007-budgets.ts'
import { facts } from './0008-facts.ts'
import { runnerSessions } from './0009-runner-sessions.ts'
import { delivered } from './0011-delivered.ts'
import { pipeline } from './0012-pipeline.ts'
import { views } from './0013-views.ts'
import { days } from './0014-days.ts'
import type { Migration } from './migration.ts'

/** All migrations, in their order. */
export const migrations: readonly Migration[] = [
  runs,
  audit,
  ask,
  packedAttempts,
  shortIndexes,
  owners,
  budgets,
  facts,
  runnerSessions,
  delivered,
  pipeline,
  views,
  days,
]

/** Brings the schema up to date, alone even when several gateways start at once, and all or nothing. */
export async function migrate(engine: Engine, now: () => number, steps: readonly Migration[] = migrations): Promise<void> {
  const { text, integer } = engine.types
  await engine.migrate(async (db) => {
    await sql`create table if not exists stickler_migrations (name ${text} not null primary key, at ${integer} not null)`.execute(db)
    const made = new Set((await db.selectFrom('stickler_migrations').select('name').execute()).map(({ name }) => name))
    for (const { name, up } of steps) {
      if (made.delete(name)) continue
      await up(db, engine.types, engine.name)
      await db.insertInto('stickler_migrations').values({ name, at: now() }).execute()
    }
    if (made.size > 0) throw new StoreUnavailable('database', 'the database was made by a newer version of Stickler; start that one')
  })
}
