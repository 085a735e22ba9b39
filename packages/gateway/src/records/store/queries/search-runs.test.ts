import type { KyselyPlugin } from 'kysely'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testEngines } from '../../../testing/store-engines.ts'
import { sampleRun, temporaryFolder } from '../../../testing/store-fixtures.ts'
import type { Engine } from '../engine/engine.ts'
import { openPostgres } from '../engine/postgres.ts'
import { openSqlite } from '../engine/sqlite.ts'
import { entryOfRun } from '../journal/line.ts'
import { fold } from '../rollups/fold.ts'
import { tableRows } from '../rows/entry.ts'
import { migrate } from '../schema/migrate.ts'
import { listRuns } from './list-runs.ts'
import { termsOf } from './words.ts'

describe.each(testEngines())('a search on $name', (kind) => {
  let database: TestDatabase
  let engine: Engine
  let remove = (): void => {}
  beforeAll(async () => {
    await kind.start()
    database = await kind.newDatabase(
      temporaryFolder((given) => {
        remove = given
      }),
    )
    const settings = { busyTimeoutMs: 2000, poolSize: 4, databaseTimeoutMs: 10_000 }
    engine =
      kind.name === 'sqlite' ? await openSqlite(database.url.slice('sqlite:'.length), settings) : openPostgres(database.url, settings)
    await migrate(engine, Date.now)
    const [forged] = termsOf(['forged'], 'alice')
    const texts: readonly (readonly [string, string])[] = [
      ...Array.from({ length: 900 }, () => ['bob', `merger ${forged} common`] as const),
      ['alice', 'lunch common Größe'],
      ['alice', 'dinner common'],
      ['', 'nobody common'],
    ]
    const runs = texts.map(([key, text], index) => sampleRun(index, { key, text }))
    await engine.insert(tableRows(runs.map((one) => entryOfRun(one, { keepText: true }))))
    while ((await fold(engine, Date.now())).more);
  })
  afterAll(async () => {
    await engine.close()
    await database.close()
    await kind.stop()
    remove()
  })

  /** What a search finds, and how many rows each of its queries reads. */
  async function search(q: string, owner?: string): Promise<{ readonly found: number; readonly rows: readonly number[] }> {
    const rows: number[] = []
    const listener: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        rows.push(result.rows.length)
        return result
      },
    }
    const read = { ...engine, db: engine.db.withPlugin(listener) }
    const { runs } = await listRuns(read, { q, limit: 50, ...(owner !== undefined && { owner }) })
    return { found: runs.length, rows }
  }

  test('of a key does the same work for a word that only others have as for one that nobody has', async () => {
    const unknown = await search('zeppelin', 'alice')
    expect(unknown).toEqual({ found: 0, rows: [0] })
    for (const word of ['merger', 'forged', 'nobody', 'merger common']) expect(await search(word, 'alice')).toEqual(unknown)
    const own = await search('common', 'alice')
    expect([own.found, own.rows[0]]).toEqual([2, 2])
    expect((await search('GROSSE', 'alice')).found).toBe(0)
    expect((await search('große lunch', 'alice')).found).toBe(1)
  })

  test('of a key reads entries of its own runs only, as the index counts them', async () => {
    const entries = async (word: string, key?: string): Promise<number> => {
      const [term] = termsOf([word], key)
      if (kind.name === 'sqlite') {
        await sql`create virtual table if not exists run_terms using fts5vocab(run_words, 'row')`.execute(engine.db)
        return (await sql<{ doc: number }>`select doc from run_terms where term = ${term}`.execute(engine.db)).rows[0]?.doc ?? 0
      }
      const { rows } = await sql<{ all: number }>`select count(*) as "all" from run_words where words @> ${[term]}`.execute(engine.db)
      return Number(rows[0]?.all)
    }
    expect(await Promise.all([entries('merger'), entries('merger', 'alice'), entries('merger', 'bob')])).toEqual([900, 0, 900])
    expect(await Promise.all([entries('common'), entries('common', 'alice'), entries('forged', 'alice')])).toEqual([903, 2, 0])
  })

  test('without a key finds the runs of all', async () => {
    expect((await search('merger')).found).toBe(50)
    expect((await search('nobody common')).found).toBe(1)
    expect((await search('', 'alice')).found).toBe(0)
  })
})
