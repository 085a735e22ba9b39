import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { readStoreUrl } from '../store-url.ts'
import type { Engine } from './engine/engine.ts'
import { openPostgres } from './engine/postgres.ts'
import { openSqlite } from './engine/sqlite.ts'
import { createQueries, safely } from './queries/queries.ts'
import { emptySummary } from './queries/summary.ts'
import { runColumns } from './rows/run-row.ts'
import type { StoreQueries } from './store.ts'
import { StoreUnavailable } from './store-unavailable.ts'

/** What commands read of a store. */
export type RunReader = Pick<StoreQueries, 'listRuns' | 'getRun' | 'summary'> & { close(): Promise<void> }

/** What a command found where the store should be. */
export type ReadStore =
  | { readonly state: 'missing' | 'empty' | 'current' | 'earlier'; readonly reader: RunReader }
  /** Nobody else can see it. */
  | { readonly state: 'memory' }

const patienceMs = 10_000

/** Opens a store to be read. */
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
    const { listRuns, getRun, summary } = createQueries(engine, () => false)
    return { state, reader: { listRuns, getRun, summary, close: () => engine.close() } }
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** What columns of later versions hold in runs from before them. */
const later: Readonly<Record<string, (engine: Engine['name'], columns: ReadonlySet<string>) => ReturnType<typeof sql>>> = {
  attempts: () => sql`cast(null as text)`,
  estimated: () => sql`cast(null as integer)`,
  delivered: () => sql`cast(null as integer)`,
  pipeline: () => sql`cast(null as text)`,
  facts: (engine, columns) => {
    if (!columns.has('step')) return sql`cast(null as text)`
    const packed = engine === 'postgres' ? sql`cast(json_build_object('step', step) as text)` : sql`json_object('step', step)`
    return sql`case when step is null then null else ${packed} end`
  },
}

/** Shows an earlier schema as if it were this one, for this connection alone, and then allows no more writing. */
async function prepare(engine: Engine): Promise<'empty' | 'current' | 'earlier'> {
  const { db, name } = engine
  const { rows } =
    name === 'sqlite'
      ? await sql<{ name: string }>`select name from pragma_table_info('runs')`.execute(db)
      : await sql<{ name: string }>`select attname as name from pg_attribute
          where attrelid = to_regclass('runs') and attnum > 0 and not attisdropped`.execute(db)
  if (rows.length === 0) return 'empty'
  const columns = new Set(rows.map((row) => row.name))
  const missing = ['seq', ...runColumns].filter((column) => !columns.has(column))
  if (missing.some((column) => later[column] === undefined)) {
    throw new StoreUnavailable('database', 'the database has a table named runs that Stickler did not make')
  }
  if (missing.length > 0) {
    const added = missing.map((column) => sql`${later[column]?.(name, columns)} as ${sql.ref(column)}`)
    // A temporary view hides the table of the same name.
    const table = name === 'sqlite' ? sql`main.runs` : sql`runs`
    await sql`create temporary view runs as select *, ${sql.join(added)} from ${table}`.execute(db)
  }
  await (name === 'sqlite' ? sql`pragma query_only = on` : sql`set session characteristics as transaction read only`).execute(db)
  return missing.length > 0 ? 'earlier' : 'current'
}

function emptyReader(): RunReader {
  return {
    listRuns: async () => ({ runs: [] }),
    getRun: async () => undefined,
    summary: async ({ since, until }) => emptySummary(since, until),
    close: async () => {},
  }
}
