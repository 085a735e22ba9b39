import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { testEngines } from '../../testing/store-engines.ts'
import { fullRun, sampleRun, sampleTime, temporaryFolder, wholeRun } from '../../testing/store-fixtures.ts'
import { readStoreUrl } from '../store-url.ts'
import { openPostgres } from './engine/postgres.ts'
import { openSqlite } from './engine/sqlite.ts'
import { entryOfRun } from './journal/line.ts'
import { openStore } from './open-store.ts'
import { openReader } from './reader.ts'
import { tableRows } from './rows/entry.ts'
import { migrate } from './schema/migrate.ts'

describe.each(testEngines())('a database on $name', (engine) => {
  let folder: string
  let url: string
  beforeAll(() => engine.start())
  afterAll(() => engine.stop())
  beforeEach(async () => {
    folder = temporaryFolder((remove) => onTestFinished(remove))
    const database = await engine.newDatabase(folder)
    onTestFinished(() => database.close())
    url = database.url
  })

  async function openEngine() {
    const address = readStoreUrl(url)
    const settings = { busyTimeoutMs: 1000, poolSize: 1, databaseTimeoutMs: 5000 }
    const opened = address.engine === 'sqlite' ? await openSqlite(address.path, settings) : openPostgres(address.url, settings)
    onTestFinished(() => opened.close())
    return opened
  }

  test.each([
    [
      '0001-runs',
      /an earlier development version of Stickler \(schema 0001-runs\).*move it away.*store\.url.*stickler runs --limit 100000 --json/,
    ],
    ['9999-later', /made by a newer version of Stickler; start that one/],
  ])('with the migration %s of another version is refused, with what to do, and stays as it is', async (migration, told) => {
    const { db } = await openEngine()
    await sql`create table stickler_migrations (name text primary key, at integer)`.execute(db)
    await sql`create table runs (id text)`.execute(db)
    await sql`insert into stickler_migrations values (${migration}, 1)`.execute(db)
    const refused = { name: 'StoreUnavailable', message: expect.stringMatching(told) }
    await expect(openStore({ url, folder, keepText: true, now: Date.now })).rejects.toMatchObject(refused)
    await expect(openReader(url)).rejects.toMatchObject(refused)
    const { rows } = await sql`select name from stickler_migrations`.execute(db)
    expect(rows).toEqual([{ name: migration }])
    expect((await sql`select id from runs`.execute(db)).rows).toEqual([])
  })

  test('with the schema before the dashboard is completed, keeps its runs and takes new ones with every member', async () => {
    const opened = await openEngine()
    await migrate(opened, () => 1)
    const old = sampleRun(1)
    await opened.insert(tableRows([entryOfRun(old, { keepText: true })]))
    const since = ['added_ms', 'prompt', 'timeline', 'shadow_contract', 'shadow_status', 'live_status', 'shadow_codes', 'live_codes']
    await sql`drop index runs_by_label`.execute(opened.db)
    for (const column of [...since, 'label', 'note', 'labelled_at', 'labelled_by'])
      await sql`alter table runs drop column ${sql.ref(column)}`.execute(opened.db)
    await sql`create table labels (run_id text, at bigint, label text, note text, labelled_at bigint, labelled_by text)`.execute(opened.db)
    await sql`insert into labels values (${old.id}, ${old.at}, 'bad', 'why', 5, 'operator')`.execute(opened.db)
    for (const table of ['rollups', 'rollup_state', 'run_words']) await sql`drop table ${sql.ref(table)}`.execute(opened.db)
    await sql`delete from stickler_migrations where name <> '0001-schema'`.execute(opened.db)
    const store = await openStore({ url, folder, keepText: true, now: Date.now })
    onTestFinished(() => store.close())
    const whole = wholeRun(2)
    await store.recorder.run(whole)
    const shadow = { contract: 'next', status: 'unresolved', liveStatus: 'valid', codes: 'A', liveCodes: 'B' } as const
    await store.recorder.shadow({ id: whole.id, at: whole.at, verdict: shadow })
    expect(await store.flush()).toBe(true)
    expect((await store.listRuns({})).runs.map(({ id }) => id).sort()).toEqual([old.id, whole.id].sort())
    const { addedMs, timeline, prompt } = whole
    expect(await store.getRun(whole.id)).toMatchObject({ addedMs, timeline, prompt, shadow })
    expect((await store.getRun(old.id))?.shadow).toBeUndefined()
    expect((await store.getRun(old.id))?.label).toEqual({ label: 'bad', note: 'why', at: 5, by: 'operator' })
  })

  test.runIf(engine.name === 'postgres')('with a partition for each day, as earlier versions made it, goes on', async () => {
    const opened = await openEngine()
    await migrate(opened, () => 1)
    const day = 86_400_000
    for (const table of ['runs', 'issues', 'repairs', 'audit'] as const) {
      const [key, at] = [table === 'runs' || table === 'audit' ? 'id' : 'run_id, position', sql.raw(`${table}_old`)]
      await sql`alter table ${sql.ref(table)} rename to ${at}`.execute(opened.db)
      await sql`create table ${sql.ref(table)} (like ${at} including defaults including identity) partition by range (at)`.execute(
        opened.db,
      )
      await sql`alter table ${sql.ref(table)} add unique (${sql.raw(key)}, at)`.execute(opened.db)
      const [today, rest] = [sql.ref(`${table}_20231114`), sql.ref(`${table}_rest`)]
      const bounds = sql`from (${sql.lit(sampleTime - day)}) to (${sql.lit(sampleTime + day)})`
      await sql`create table ${today} partition of ${sql.ref(table)} for values ${bounds}`.execute(opened.db)
      await sql`create table ${rest} partition of ${sql.ref(table)} default`.execute(opened.db)
      if (key === 'id') {
        const sequence = sql.lit(`stickler_${table}_seq`)
        await sql`create sequence ${sql.raw(`stickler_${table}_seq`)}`.execute(opened.db)
        await sql`alter table ${sql.ref(table)} alter seq drop identity if exists`.execute(opened.db)
        await sql`alter table ${sql.ref(table)} alter seq set default nextval(${sequence})`.execute(opened.db)
      }
    }
    for (const table of ['issues', 'repairs', 'audit', 'runs']) await sql`drop table ${sql.ref(`${table}_old`)} cascade`.execute(opened.db)
    const now = sampleTime + 10 * day
    const store = await openStore({ url, folder, keepText: true, now: () => now, retentionDays: 3 })
    onTestFinished(() => store.close())
    const [old, fresh] = [fullRun(1), { ...fullRun(2), at: now }]
    for (const run of [old, fresh, old]) await store.recorder.run(run)
    expect(await store.flush()).toBe(true)
    expect((await store.listRuns({ code: 'MAX_WORDS' })).runs.map(({ id }) => id)).toEqual([fresh.id, old.id])
    expect((await store.overview({ since: old.at, until: now + day })).totals.runs).toBe(2)
    expect(await store.purge()).toEqual({ runs: 1, audit: 0 })
    expect((await store.listRuns({})).runs.map(({ id }) => id)).toEqual([fresh.id])
    for (const table of ['issues', 'repairs', 'run_words'])
      expect((await sql`select 1 from ${sql.ref(table)} limit 100`.execute(opened.db)).rows.length).toBeGreaterThan(0)
  })

  test('without runs is read as one without runs, and one of somebody else is not read', async () => {
    const found = await openReader(url)
    expect(found.state).toBe(engine.name === 'sqlite' ? 'missing' : 'empty')
    if (found.state !== 'memory') expect(await found.reader.listRuns({})).toEqual({ runs: [] })
    const { db } = await openEngine()
    expect((await openReader(url)).state).toBe('empty')
    await sql`create table runs (id text)`.execute(db)
    await expect(openReader(url)).rejects.toMatchObject({ name: 'StoreUnavailable', message: expect.stringContaining('did not make') })
  })
})
