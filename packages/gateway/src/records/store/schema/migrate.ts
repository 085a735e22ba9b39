import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import type { Tables } from '../rows/tables.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import { createSchema } from './create-schema.ts'

/** The migrations, in order; a released one never changes. */
const migrations: Readonly<Record<string, (db: Kysely<Tables>, engine: Engine) => Promise<void>>> = { '0001-schema': createSchema }

/** Migrates the schema in one transaction; several gateways that start together take turns. */
export async function migrate(engine: Engine, now: () => number): Promise<void> {
  const { text, integer } = engine.types
  await engine.migrate(async (db) => {
    await sql`create table if not exists stickler_migrations (name ${text} not null primary key, at ${integer} not null)`.execute(db)
    const made = await readMigrations(db)
    for (const [name, up] of Object.entries(migrations)) {
      if (made.has(name)) continue
      await up(db, engine)
      await db.insertInto('stickler_migrations').values({ name, at: now() }).execute()
    }
  })
}

/** The migrations of a database; throws if a version that this one cannot continue from created it. */
export async function readMigrations(db: Kysely<Tables>): Promise<ReadonlySet<string>> {
  const made = new Set((await db.selectFrom('stickler_migrations').select('name').execute()).map(({ name }) => name))
  if (made.has('0001-runs')) {
    const todo = 'move it away, or name another one in store.url; to keep its runs, export them with that version first'
    const found = 'the database was made by an earlier development version of Stickler (schema 0001-runs)'
    throw new StoreUnavailable('version', `${found}: ${todo}: stickler runs --limit 100000 --json > runs.json`)
  }
  if ([...made].some((name) => migrations[name] === undefined))
    throw new StoreUnavailable('version', 'the database was made by a newer version of Stickler; start that one')
  return made
}
