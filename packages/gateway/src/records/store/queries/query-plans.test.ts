import { join } from 'node:path'
import type { KyselyPlugin } from 'kysely'
import Database from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { fullRun, sampleTime, temporaryFolder } from '../../../testing/store-fixtures.ts'
import type { Engine } from '../engine/engine.ts'
import { openSqlite } from '../engine/sqlite.ts'
import { entryOfRun } from '../journal/line.ts'
import { contractStats } from '../rollups/overview.ts'
import { stats } from '../rollups/stats.ts'
import { tableRows } from '../rows/entry.ts'
import { migrate } from '../schema/migrate.ts'
import { listRuns } from './list-runs.ts'
import { getSession, listSessions } from './session-queries.ts'

const place = '1700000000000_run-1'

/** How SQLite would find the rows of every query that a read makes. */
async function plansOf(read: (engine: Engine) => Promise<unknown>): Promise<string[]> {
  const path = join(
    temporaryFolder((remove) => onTestFinished(remove)),
    'state.db',
  )
  const engine = await openSqlite(path, { busyTimeoutMs: 100 })
  await migrate(engine, Date.now)
  await engine.insert(tableRows([entryOfRun(fullRun(1), { keepText: true })]))
  const asked: { sql: string; parameters: readonly unknown[] }[] = []
  const listener: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      asked.push(engine.db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await read({ ...engine, db: engine.db.withPlugin(listener) })
  await engine.close()
  const database = new Database(path)
  const plans = asked.flatMap(
    ({ sql, parameters }) => database.prepare(`explain query plan ${sql}`).all([...parameters]) as { detail: string }[],
  )
  database.close()
  return plans.map(({ detail }) => detail)
}

test.each<[string, (engine: Engine) => Promise<unknown>]>([
  ['newest runs', (engine) => listRuns(engine, {})],
  ['older runs', (engine) => listRuns(engine, { before: place })],
  ...(['status', 'contract', 'model', 'session', 'code'] as const).flatMap((name): [string, (engine: Engine) => Promise<unknown>][] => [
    [`newest runs with a ${name}`, (engine) => listRuns(engine, { [name]: 'x' })],
    [`older runs with a ${name}`, (engine) => listRuns(engine, { [name]: 'x', before: place, since: 1, until: 2e12 })],
  ]),
  ['runs of a key', (engine) => listRuns(engine, { owner: 'x' })],
  ['sessions of a key', (engine) => listSessions(engine, { owner: 'x', before: place })],
  ['one session of a key', (engine) => getSession(engine, () => false, 'session-1', 'x')],
  [
    'statistics of a key',
    (engine) => stats(engine, { since: sampleTime, until: sampleTime + 2000, bucketMs: 2000, owner: 'x' }, sampleTime),
  ],
  ['sessions', (engine) => listSessions(engine, { before: place })],
  ['sessions with a status', (engine) => listSessions(engine, { status: 'failed', before: place })],
  ['one session', (engine) => getSession(engine, () => false, 'session-1')],
  ['statistics', (engine) => stats(engine, { since: sampleTime, until: sampleTime + 2000, bucketMs: 2000 }, sampleTime)],
])('%s are found by an index', async (_, read) => {
  const plans = await plansOf(read)
  expect(plans.length).toBeGreaterThan(0)
  // What is scanned of a part is the keys of one page.
  for (const plan of plans.filter((step) => /^(?:SCAN|SEARCH) (?!page|keys)/.test(step)))
    expect(plan).toMatch(/USING (?:COVERING )?INDEX|USING INTEGER PRIMARY KEY/)
})

test.each(['status', 'contract', 'model'] as const)('a page of runs with a %s reads no more than the page', async (name) => {
  const [found, sorted] = await plansOf((engine) => listRuns(engine, { [name]: 'x', before: place }))
  expect(found).toBe(`SEARCH runs USING INDEX runs_by_${name} (${name}=? AND at<?)`)
  // Only runs of the same millisecond are sorted.
  expect(sorted).toMatch(/RIGHT PART OF ORDER BY|LAST TERM OF ORDER BY/)
})

test('a page of the runs of a key reads no more than the page', async () => {
  const [found] = await plansOf((engine) => listRuns(engine, { owner: 'x', before: place }))
  expect(found).toBe('SEARCH runs USING INDEX runs_by_key (key_name=? AND at<?)')
})

test.each(['label', 'session'] as const)('of all filters, a %s leads to the runs', async (name) => {
  const plans = await plansOf((engine) => listRuns(engine, { [name]: 'x', contract: 'x', status: 'failed', code: 'X', class: 'lossy' }))
  expect(plans[0]).toMatch(new RegExp(`^SEARCH runs USING INDEX runs_by_${name} `))
})

test('labels are counted without a look at other runs', async () => {
  const plans = await plansOf((engine) => contractStats(engine, { since: sampleTime, until: sampleTime + 1000 }, sampleTime))
  const led = plans.filter((plan) => plan === 'SEARCH runs USING INDEX runs_by_label (label=? AND at>? AND at<?)')
  expect(led).toHaveLength(2)
})

test('a filter of sessions looks into a session once, not for each of its runs', async () => {
  const plans = await plansOf((engine) => listSessions(engine, { status: 'failed' }))
  const [later, one] = ['later', 'one'].map((table) => plans.findIndex((plan) => plan.startsWith(`SEARCH ${table} `)))
  expect(later).toBeGreaterThan(-1)
  // Conditions are tested in this order, so that only the last run of a session is looked into.
  expect(one).toBeGreaterThan(later ?? 0)
})
