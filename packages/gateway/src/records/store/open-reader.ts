import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { readStoreUrl } from '../store-url.ts'
import type { Engine } from './engine/engine.ts'
import { openPostgres } from './engine/postgres.ts'
import { openSqlite } from './engine/sqlite.ts'
import { createQueries, safely } from './queries.ts'
import { emptySummary } from './rollups/summary.ts'
import { isCurrent, readMigrations } from './schema/migrate.ts'
import type { StoreQueries } from './store.ts'
import { StoreUnavailable } from './store-unavailable.ts'

/** The part of a store that commands read. */
export type RunReader = Pick<StoreQueries, 'listRuns' | 'getRun' | 'summary'> & { close(): Promise<void> }

/** What a command finds at the address of the store. */
export type ReadStore =
  | { readonly state: 'missing' | 'empty' | 'current'; readonly reader: RunReader }
  /** A database in memory is visible only to its own process. */
  | { readonly state: 'memory' }

const patienceMs = 10_000

/** Opens a store read-only. */
export async function openStoreReader(url: string): Promise<ReadStore> {
  const address = readStoreUrl(url)
  if (address.engine === 'sqlite' && address.memory) return { state: 'memory' }
  if (address.engine === 'sqlite' && !existsSync(address.path)) return { state: 'missing', reader: emptyReader() }
  const settings = { busyTimeoutMs: patienceMs, isRead: true, poolSize: 1, databaseTimeoutMs: patienceMs }
  const engine = address.engine === 'sqlite' ? await openSqlite(address.path, settings) : openPostgres(address.url, settings)
  try {
    const state = await safely(prepare(engine), engine)
    if (state === 'empty') {
      await engine.close()
      return { state, reader: emptyReader() }
    }
    const { listRuns, getRun, summary } = createQueries(engine, { endsSession: () => false, now: Date.now })
    return { state, reader: { listRuns, getRun, summary, close: () => engine.close() } }
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** Returns whether there is anything to read, and then forbids writing. */
async function prepare({ db, name }: Engine): Promise<'empty' | 'current'> {
  const named = (table: string) =>
    name === 'sqlite' ? sql`from sqlite_master where name = ${table}` : sql`where to_regclass(${table}) is not null`
  const has = async (table: string): Promise<boolean> => (await sql`select 1 ${named(table)}`.execute(db)).rows.length > 0
  if (!(await has('runs'))) return 'empty'
  if (!(await has('stickler_migrations'))) {
    throw new StoreUnavailable('database', 'the database has a table named runs that Stickler did not make')
  }
  if (!isCurrent(await readMigrations(db))) {
    throw new StoreUnavailable(
      'version',
      'the database was made by an earlier version of Stickler; start the gateway once to bring it up to date',
    )
  }
  await (name === 'sqlite' ? sql`pragma query_only = on` : sql`set session characteristics as transaction read only`).execute(db)
  return 'current'
}

function emptyReader(): RunReader {
  return {
    listRuns: async () => ({ runs: [] }),
    getRun: async () => undefined,
    summary: async ({ since, until }) => emptySummary(since, until),
    close: async () => {},
  }
}
