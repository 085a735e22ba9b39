import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../../../../../e2e/support/postgres.ts'
import { fullRun, temporaryFolder } from '../../../testing/store-fixtures.ts'
import { runColumns } from '../../run/run-columns.ts'
import type { Engine } from '../engine/engine.ts'
import { openPostgres } from '../engine/postgres.ts'
import { openSqlite } from '../engine/sqlite.ts'
import { openStore } from '../open-store.ts'
import { dayMs } from '../rollups/widths.ts'
import type { Store } from '../store.ts'
import { migrate } from './migrate.ts'

const settings = { poolSize: 2, databaseTimeoutMs: 5000, busyTimeoutMs: 1000 }
let server: TestPostgres
let url: string
let folder: string
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())
beforeEach(async () => {
  url = await server.newDatabase()
  folder = temporaryFolder((remove) => onTestFinished(remove))
})

function open(now: () => number): Promise<Store> {
  return openStore({ url, folder, keepText: true, now, batchMs: 5 })
}

function openEngine(): Engine {
  const engine = openPostgres(url, settings)
  onTestFinished(() => engine.close())
  return engine
}

async function record(store: Store, runs: readonly ReturnType<typeof fullRun>[]): Promise<void> {
  for (const run of runs) await store.recorder.run(run)
  expect(await store.flush()).toBe(true)
}

describe.each(['sqlite', 'postgres'] as const)('what is documented of the tables and views of %s', (name) => {
  test('is what the migrations make', async () => {
    const engine = name === 'sqlite' ? await openSqlite(':memory:', settings) : openEngine()
    await migrate(engine, Date.now)
    const page = readFileSync(new URL('../../../../../../docs/reference/sql.md', import.meta.url), 'utf8')
    const documented = page
      .split(/^### /m)
      .slice(1)
      .map((part) => {
        const [, table = ''] = /^`(\w+)`/.exec(part) ?? []
        return [table, [...part.matchAll(/^\| `(\w+)` \|/gm)].map(([, column]) => column)] as const
      })
    const meanings = runColumns.map(
      ({ column, kind, says }) => `| \`${column}\` | ${kind === 'json' || kind === 'names' ? 'JSON: ' : ''}${says} |`,
    )
    expect(page).toContain(meanings.join('\n'))
    expect(documented.length).toBeGreaterThan(6)
    for (const [table, columns] of documented) {
      const { rows } =
        name === 'sqlite'
          ? await sql<{ name: string }>`select name from pragma_table_info(${table}) order by cid`.execute(engine.db)
          : await sql<{
              name: string
            }>`select attname as name from pg_attribute where attrelid = to_regclass(${table}) and attnum > 0 order by attnum`.execute(
              engine.db,
            )
      expect([table, rows.map((row) => row.name)]).toEqual([table, columns])
    }
  })
})

test.each(['sqlite', 'postgres'] as const)('the documented queries find the runs of yesterday on %s', async (name) => {
  const page = readFileSync(new URL('../../../../../../docs/reference/sql.md', import.meta.url), 'utf8')
  const queries = [...(/```sql\n([^`]*)```/.exec(page)?.[1] ?? '').matchAll(/^-- (.*)\n([^;]*);/gm)]
  const other = name === 'sqlite' ? 'PostgreSQL' : 'SQLite'
  const own = queries.flatMap(([, title = '', query = '']) => (title.endsWith(other) ? [] : [query]))
  expect(own).toHaveLength(2)
  if (name === 'sqlite') url = `sqlite:${folder}/state.db`
  const store = await open(Date.now)
  await record(store, [{ ...fullRun(1), at: Date.now() - dayMs }])
  await store.close()
  const engine = name === 'sqlite' ? await openSqlite(`${folder}/state.db`, settings) : openEngine()
  onTestFinished(() => engine.close())
  for (const query of own) expect((await sql.raw(query).execute(engine.db)).rows).not.toEqual([])
})

test('views add up to the tables below them', async () => {
  const store = await open(Date.now)
  onTestFinished(() => store.close())
  const at = Date.now()
  await record(
    store,
    [1, 2, 3].map((number) => ({ ...fullRun(number), at })),
  )
  const engine = openEngine()
  const one = async (query: ReturnType<typeof sql>) => (await query.execute(engine.db)).rows[0]
  const day = new Date(at).toISOString().slice(0, 10)
  expect(await one(sql`select runs, retries, cost_usd, cast(day as text) as day, status from stickler_daily`)).toEqual({
    runs: 3,
    retries: 3,
    cost_usd: 1.5,
    day,
    status: 'unresolved',
  })
  expect(await one(sql`select count(*) as n, count(distinct run_id) as runs from stickler_failures where severity = 'error'`)).toEqual({
    n: 3,
    runs: 3,
  })
  expect(
    await one(sql`select key, streamed, retries, extract(epoch from started_at) * 1000 as at from stickler_runs limit 1`),
  ).toMatchObject({ key: 'team-a', streamed: true, retries: 1, at })
})
