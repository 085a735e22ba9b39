import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { testEngines } from '../../testing/store-engines.ts'
import { fullIssue, fullRun, sampleRun, temporaryFolder } from '../../testing/store-fixtures.ts'
import { readStoreUrl } from '../store-url.ts'
import { openPostgres } from './engine/postgres.ts'
import { openSqlite } from './engine/sqlite.ts'
import { migrate, migrations } from './migrations/migrate.ts'
import { openStore } from './open-store.ts'
import { openReader } from './reader.ts'

/** The rows of `fullRun(1)` as they were written when every value had a column. */
async function writeEarlier(db: Kysely<Record<string, never>>): Promise<void> {
  const run = fullRun(1)
  const [first, second] = run.attempts
  const { code, severity, validator, message, ...detail } = fullIssue
  const issue = { run_id: run.id, at: run.at, validator, code, message, detail: JSON.stringify(detail) }
  const insert = (table: string, rows: readonly object[]) =>
    db
      .insertInto(table as never)
      .values(rows as never)
      .execute()
  const names = { upstream: run.upstream, upstream_model: run.upstreamModel, key_name: run.key, request_id: run.requestId }
  await insert('runs', [
    {
      ...{ id: run.id, at: run.at, ms: run.ms, status: run.status, attempt_count: 2, issue_count: 1, fixed_count: 1, repair_count: 1 },
      ...{ prompt_tokens: 100, completion_tokens: 20, cost: 0.5, contract: run.contract, model: run.model, api: run.api },
      ...{ session: run.session, stream: 1, http_status: 422, first_text_ms: 4.25, ...names, choice: 0, reason: run.reason, step: '2' },
      ...{ failure_kind: 'http', failure_status: 502, failure_message: 'bad gateway', unchecked: JSON.stringify(run.unchecked) },
      ...{ request: 'what?', text: run.text },
    },
  ])
  const usage = { prompt_tokens: 50, completion_tokens: 10, cost: 0.25 }
  await insert('attempts', [
    {
      ...{ run_id: run.id, position: 0, number: 1, call: 'run', ms: 5, finish_reason: 'stop', ...usage, stopped_at: null },
      ...{ decision: 'retry', text: first?.text, feedback: first?.feedback },
    },
    {
      ...{ run_id: run.id, position: 1, number: 2, call: 'continue', ms: 6, finish_reason: null, prompt_tokens: null },
      ...{ completion_tokens: null, cost: null, stopped_at: 17, decision: null, text: second?.text, feedback: null },
    },
  ])
  await insert('issues', [
    { ...issue, position: 0, kind: 'attempt', attempt: 1, severity, leads: 1 },
    { ...issue, position: 1, kind: 'attempt', attempt: 2, severity, leads: 0 },
    { ...issue, position: 2, kind: 'attempt', attempt: 2, severity: 'warning', leads: 1 },
    { ...issue, position: 3, kind: 'remaining', attempt: 0, severity, leads: 0 },
    { ...issue, ...run.fixed[0], position: 4, kind: 'fixed', attempt: 0, leads: 1, detail: null },
  ])
  await insert('repairs', [{ run_id: run.id, position: 0, rule: 'trim', class: 'lossless', detail: JSON.stringify(run.repairs[0]) }])
}

describe.each(testEngines())('runs of an earlier version on $name', (engine) => {
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
    return address.engine === 'sqlite' ? await openSqlite(address.path, settings) : openPostgres(address.url, settings)
  }

  test('leave what keys have spent to their budgets, and what /ask has spent where it is', async () => {
    const earlier = await openEngine()
    onTestFinished(() => earlier.close())
    await migrate(earlier, Date.now, migrations.slice(0, 5))
    const rows = [
      ['tokens a', 1234],
      ['usd a', 0.5],
      ['usd b', 2.25],
      ['tokens tokens x', 7],
      // Names of keys in /ask, which only look alike.
      ['Tokens a', 1.5],
      ['USD a', 2.5],
      ['tokens', 3.5],
      ['usdb', 4.5],
    ] as const
    for (const [tenant, usd] of rows) await sql`insert into spend (tenant, day, usd) values (${tenant}, 20000, ${usd})`.execute(earlier.db)
    await migrate(earlier, Date.now, migrations)
    const { rows: budgets } = await sql`select key_name, day, tokens, nano_usd, held_tokens + held_nano_usd as held
      from key_budgets order by key_name`.execute(earlier.db)
    expect(budgets).toEqual([
      { key_name: 'a', day: 20_000, tokens: 1234, nano_usd: 500_000_000, held: 0 },
      { key_name: 'b', day: 20_000, tokens: 0, nano_usd: 2_250_000_000, held: 0 },
      { key_name: 'tokens x', day: 20_000, tokens: 7, nano_usd: 0, held: 0 },
    ])
    const left = await earlier.db.selectFrom('spend').select(['tenant', 'usd']).orderBy('usd').execute()
    expect(left.map(({ tenant, usd }) => [tenant, usd])).toEqual(rows.slice(4))
  })

  test('keep the steps of their sessions', async () => {
    const earlier = await openEngine()
    await migrate(earlier, Date.now, migrations.slice(0, 7))
    const steps = ['what', null, 'a "quoted" \\ stép 😀', 'done']
    for (const [number, step] of steps.entries()) {
      await sql`insert into runs (id, at, ms, status, attempt_count, issue_count, fixed_count, repair_count, prompt_tokens, completion_tokens,
        contract, model, api, session, stream, http_status, upstream, upstream_model, key_name, request_id, choice, reason, step)
        values (${`run-${number}`}, ${number + 1}, 1, 'valid', 1, 0, 0, 0, 1, 1, 'c', 'm', 'chat', 's', 0, 200, 'u', 'm', '', 'r', 0, 'valid', ${step})`.execute(
        earlier.db,
      )
    }
    await earlier.close()

    const endsSession = (contract: string, step: string) => contract === 'c' && step === 'done'
    const store = await openStore({ url, folder, keepText: true, now: Date.now, batchMs: 5, endsSession })
    onTestFinished(() => store.close())
    const { newest, ...session } = (await store.getSession('s')) ?? { newest: { runs: [] } }
    expect(newest.runs.map(({ facts }) => facts?.step ?? null).reverse()).toEqual(steps)
    expect(session).toMatchObject({ step: 'done', status: 'done', steps: steps.filter(Boolean).map((step) => ({ step })) })
  })

  test('are read as they were, beside new ones', async () => {
    const earlier = await openEngine()
    await migrate(earlier, Date.now, migrations.slice(0, 3))
    await writeEarlier(earlier.db as unknown as Kysely<Record<string, never>>)
    await earlier.close()

    const store = await openStore({ url, folder, keepText: true, now: Date.now, batchMs: 5 })
    onTestFinished(() => store.close())
    const failed = { number: 3, call: 'run', ms: 1, issues: [], decision: 'failed', failure: 'timeout' } as const
    const pipeline = [
      { node: 'reformulate', ms: 0.5, query: 'größe 😀 "x"' },
      { node: 'retrieve', ms: 2, chunks: [{ urn: 'a/b.md#L1-L2', score: 0.03 }] },
    ] as const
    const since = { facts: { step: '2' }, request: 'and?', delivered: false, pipeline, attempts: [...fullRun(2).attempts, failed] }
    await store.recorder.run(fullRun(1))
    await store.recorder.run({ ...fullRun(2), ...since })
    await store.recorder.run(sampleRun(3))
    await store.flush()
    const [old, later] = [await store.getRun('run-00000001'), await store.getRun('run-00000002')]
    expect(old).toEqual({ ...fullRun(1), facts: { step: '2' }, request: 'what?', counts: { attempts: 2, issues: 1, fixed: 1, repairs: 1 } })
    expect(later).toEqual({
      ...fullRun(2),
      ...since,
      counts: { attempts: 3, issues: 1, fixed: 1, repairs: 1 },
    })
    const { runs } = await store.listRuns({ session: 'session-1' })
    const {
      id: _id,
      at: _at,
      delivered: _delivered,
      attempts: _attempts,
      ms: _ms,
      requestId: _request,
      ...shown
    } = runs[0] ?? { id: '', at: 0, ms: 0, requestId: '' }
    expect(runs).toMatchObject([{ id: 'run-00000002' }, { id: 'run-00000001', ...shown }])
    expect((await store.listRuns({ code: 'MAX_WORDS' })).runs.map(({ id }) => id)).toEqual(['run-00000002', 'run-00000001'])
    expect(await store.getSession('session-1')).toMatchObject({ runs: 2, firstRequest: 'what?', steps: [{ step: '2' }] })
  })
  test.each([3, 7, migrations.length])('are read by commands after %i migrations, and stay as they are', async (count) => {
    const earlier = await openEngine()
    onTestFinished(() => earlier.close())
    await migrate(earlier, Date.now, migrations.slice(0, 3))
    await writeEarlier(earlier.db as unknown as Kysely<Record<string, never>>)
    await migrate(earlier, Date.now, migrations.slice(0, count))
    const made = await sql`select name from stickler_migrations`.execute(earlier.db)

    const found = await openReader(url)
    if (found.state === 'memory') throw new Error('not in memory')
    expect(found.state).toBe(count === migrations.length ? 'current' : 'earlier')
    const { reader } = found
    const run = { ...fullRun(1), facts: { step: '2' }, request: 'what?', counts: { attempts: 2, issues: 1, fixed: 1, repairs: 1 } }
    expect(await reader.getRun('run-00000001')).toEqual(run)
    expect((await reader.listRuns({ contract: 'default' })).runs).toMatchObject([{ id: 'run-00000001', attempts: 2, facts: { step: '2' } }])
    expect(await reader.summary({ since: 0, until: Date.now() })).toMatchObject({
      runs: 1,
      contracts: [{ contract: 'default', cost: 0.5 }],
    })
    await reader.close()
    expect(await sql`select name from stickler_migrations`.execute(earlier.db)).toEqual(made)
  })

  test('of none are read as none', async () => {
    const found = await openReader(url)
    expect(found.state).toBe(engine.name === 'sqlite' ? 'missing' : 'empty')
    if (found.state !== 'memory') expect(await found.reader.listRuns({})).toEqual({ runs: [] })
    const earlier = await openEngine()
    onTestFinished(() => earlier.close())
    expect((await openReader(url)).state).toBe('empty')
    await sql`create table runs (id text)`.execute(earlier.db)
    await expect(openReader(url)).rejects.toMatchObject({ name: 'StoreUnavailable', message: expect.stringContaining('did not make') })
  })
})
