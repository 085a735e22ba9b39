import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { counted, filters, matches, runsSince, totalsOf } from '../../../testing/store/overview-by-hand.ts'
import { addedUp, randomRuns, rounded } from '../../../testing/store/summary-by-hand.ts'
import { type TestDatabase, testEngines } from '../../../testing/store-engines.ts'
import { sampleRun, sampleTime, temporaryFolder } from '../../../testing/store-fixtures.ts'
import type { RunRecord } from '../../run/run-record.ts'
import type { Engine } from '../engine/engine.ts'
import { openPostgres } from '../engine/postgres.ts'
import { openSqlite } from '../engine/sqlite.ts'
import { entryOfRun } from '../journal/line.ts'
import { listRuns } from '../queries/list-runs.ts'
import { tableRows } from '../rows/entry.ts'
import { migrate } from '../schema/migrate.ts'
import { fold } from './fold.ts'
import { type Overview, type OverviewQuery, overview } from './overview.ts'
import { stats } from './stats.ts'
import { summary } from './summary.ts'
import type { RunTotals } from './sums.ts'

const hour = 3_600_000
const start = 1_699_999_200_000
const now = start + 2 * hour + 1000

/** Compares sums with those by hand: exactly, and percentiles to 5 %. */
function expectTotals(found: RunTotals, runs: readonly RunRecord[]): void {
  const { sums, times } = totalsOf(runs)
  for (const [name, value] of Object.entries(sums)) {
    const told = found[name as 'runs']
    if (typeof value === 'number') expect(told, name).toBeCloseTo(value, 6)
    else expect(told, name).toEqual(value)
  }
  for (const name of ['p50Ms', 'p95Ms', 'addedP50Ms', 'addedP95Ms', 'firstTextP50Ms'] as const) {
    const exact = times[name]
    if (exact === undefined) expect(found[name]).toBeUndefined()
    // Three digits are shown.
    else expect(Math.abs((found[name] ?? Number.NaN) - exact), `${name} ${exact}`).toBeLessThanOrEqual(exact * 0.055 + 0.02)
  }
}

const pairs = <Row extends { readonly runs: number }>(rows: readonly Row[], ...names: readonly (keyof Row)[]) =>
  Object.fromEntries(rows.map((row) => [names.map((name) => row[name] ?? '').join(' '), row.runs]))
const unique = (names: readonly string[]) => [...new Set(names)]
const found = (one: RunRecord) => [...one.attempts.flatMap(({ issues }) => issues), ...one.issues, ...one.fixed]

describe.each(testEngines())('sums on $name', (kind) => {
  let database: TestDatabase
  let engine: Engine
  beforeAll(() => kind.start())
  afterAll(() => kind.stop())
  beforeEach(async () => {
    database = await kind.newDatabase(temporaryFolder((remove) => onTestFinished(remove)))
    const settings = { busyTimeoutMs: 2000, poolSize: 4, databaseTimeoutMs: 10_000 }
    engine =
      kind.name === 'sqlite' ? await openSqlite(database.url.slice('sqlite:'.length), settings) : openPostgres(database.url, settings)
    await migrate(engine, () => now)
  })
  afterEach(async () => {
    await engine.close()
    await database.close()
  })
  const insert = (...runs: readonly RunRecord[]) => engine.insert(tableRows(runs.map((one) => entryOfRun(one, { keepText: true }))))
  const foldAll = async () => {
    while ((await fold(engine, now, 300)).more);
  }
  const ask = (query: Partial<OverviewQuery> = {}) => overview(engine, { since: start, until: start + 2 * hour, ...query }, now)

  function expectOverview(told: Overview, runs: readonly RunRecord[]): void {
    expectTotals(told.totals, runs)
    expect(told.buckets.map(({ at }) => at)).toEqual(Array.from({ length: 120 }, (_, index) => start + index * 60_000))
    for (const { at, ...bucket } of told.buckets)
      expectTotals(
        bucket,
        runs.filter((one) => one.at >= at && one.at < at + told.bucketMs),
      )
    for (const [list, name] of [
      ['models', 'model'],
      ['contracts', 'contract'],
      ['keys', 'key'],
      ['upstreams', 'upstream'],
    ] as const) {
      const rows = told[list] as unknown as readonly (RunTotals & Record<'model' | 'contract' | 'key' | 'upstream', string>)[]
      expect(new Set(rows.map((row) => row[name]))).toEqual(new Set(runs.map((one) => one[name])))
      for (const row of rows)
        expectTotals(
          row,
          runs.filter((one) => one[name] === row[name]),
        )
    }
    const rule = ({ validator, code }: { readonly validator: string; readonly code: string }) => `${validator} ${code}`
    expect(pairs(told.rules, 'validator', 'code')).toEqual(counted(runs, (one) => unique(found(one).map(rule))))
    for (const one of told.rules) {
      expect(one.fixed).toBe(runs.filter(({ fixed }) => fixed.some((issue) => rule(issue) === rule(one))).length)
      expect(one.remaining).toBe(runs.filter(({ issues }) => issues.some((issue) => rule(issue) === rule(one))).length)
      const causes = runs.flatMap(({ attempts }) =>
        attempts.slice(0, -1).map(({ issues }) => issues.filter(({ severity }) => severity === 'error')),
      )
      expect(one.retries).toBe(causes.filter((issues) => issues.some((issue) => rule(issue) === rule(one))).length)
    }
    expect(pairs(told.repairs, 'rule', 'class')).toEqual(
      counted(runs, (one) => unique(one.repairs.map((repair) => `${repair.rule} ${repair.class}`))),
    )
    expect(told.repairs.reduce((sum, { count }) => sum + count, 0)).toBe(told.totals.repairs)
    expect(pairs(told.unchecked, 'validator', 'cause')).toEqual(
      counted(runs, (one) => unique(one.unchecked.map(({ validator, cause }) => `${validator} ${cause}`))),
    )
    const bad = runs.filter(({ status }) => ['unresolved', 'unchecked', 'failed'].includes(status))
    expect(pairs(told.failures, 'status', 'reason', 'failure')).toEqual(
      counted(bad, ({ status, reason, failure }) => [`${status} ${reason} ${failure?.kind ?? ''}`]),
    )
  }

  test('are those of all runs, each once, whatever is killed and whoever adds them', async () => {
    const runs = runsSince(start, 300)
    const killed: Engine = {
      ...engine,
      transaction: (task) =>
        engine.transaction(async (db) => {
          await task(db)
          throw new Error('killed')
        }),
    }
    for (let index = 0; index < runs.length; index += 60) {
      await insert(...runs.slice(index, index + 60))
      await expect(fold(killed, now, 23)).rejects.toThrow('killed')
      await Promise.all([fold(engine, now, 17), fold(engine, now, 31), fold(engine, now, 5)])
    }
    await foldAll()
    expectOverview(await ask(), runs)
    for (const filter of filters(12))
      expectOverview(
        await ask(filter),
        runs.filter((one) => matches(one, filter)),
      )
    const later = await ask({ since: start + 2 * hour, until: start + 4 * hour })
    expectTotals(later.totals, [])
    expectTotals(later.before, runs)
  })

  test('have few rows for many names of models, and still know each', async () => {
    const runs = Array.from({ length: 2500 }, (_, index) =>
      sampleRun(index, { at: start + index, model: `m${index}`, key: index % 2 ? 'a' : 'b' }),
    )
    await insert(...runs)
    await foldAll()
    const rows = await engine.db.selectFrom('rollups').select('cells').execute()
    for (const { cells } of rows) expect(JSON.parse(cells).cells.length).toBeLessThanOrEqual(1002)
    const all = await ask()
    expectTotals(all.totals, runs)
    expect(all.models).toHaveLength(21)
    expect(all.models.at(-1)).toMatchObject({ model: '', other: true, runs: 2480 })
    expectTotals((await ask({ model: 'm2400' })).totals, [runs[2400] as RunRecord])
    expectTotals(
      (await ask({ owner: 'a' })).totals,
      runs.filter(({ key }) => key === 'a'),
    )
  })

  test('of exactly some time are those of its periods, of the runs at its ends, and of those that no period has yet', async () => {
    const runs = randomRuns(150)
    await insert(...runs.slice(0, 100))
    await foldAll()
    await insert(...runs.slice(100))
    const spans = [
      [10_000, 140_000],
      [40_000, 100_000],
      [50_000, 60_000],
    ].map(([from = 0, to = 0]) => ({ since: sampleTime + from, until: sampleTime + to }))
    for (const span of spans) {
      for (const filter of [{}, { contract: 'a' }, { key: 'team', model: 'm1' }, { owner: 'other' }]) {
        const sums = addedUp(runs, span, filter)
        expect(rounded(await summary(engine, { ...span, ...filter }, now))).toEqual(rounded({ ...span, ...sums }))
      }
      const { runs: count, buckets } = await stats(engine, { ...span, bucketMs: 70_000 }, now)
      const during = runs.filter(({ at }) => at >= span.since && at < span.until)
      expect([count, buckets.reduce((sum, one) => sum + one.attempts, 0)]).toEqual([
        during.length,
        during.reduce((sum, { attempts }) => sum + attempts.length, 0),
      ])
    }
  })

  test('take times of any clock', async () => {
    const runs = [0, -5, 8.64e15, Number.MAX_SAFE_INTEGER, start].map((at, index) => sampleRun(index, { at }))
    await insert(...runs)
    await foldAll()
    expect((await ask()).totals.runs).toBe(1)
    expect((await ask({ since: 0, until: 8.64e15 })).totals.runs).toBe(2)
  })

  test('know the words of texts, and take every search as words', async () => {
    const text = 'Die Größe der naïve résumé: foo-bar, "NEAR" 2026! 漢字 \ud800 * OR 1=1'
    await insert(sampleRun(1, { text, request: 'What size?' }), sampleRun(2, { text: 'other words', key: 'team' }), sampleRun(3))
    await foldAll()
    const ids = async (q: string, more: object = {}) => (await listRuns(engine, { q, ...more })).runs.map(({ id }) => Number(id.slice(4)))
    for (const q of ['größe', 'GROSSE', 'foo', 'bar foo', '"near', 'resume 2026', 'what size', 'or', '漢字', '*:naive^'])
      expect(await ids(q), q).toEqual(q === 'GROSSE' ? [] : [1])
    for (const q of ['words', 'other AND words']) expect(await ids(q), q).toEqual(q === 'words' ? [2] : [])
    for (const q of ['', '"', '* - ( )', 'NEAR(a b)', "'; drop table runs; --", '\0', '\ud800', 'x'.repeat(256), '{a}:b'])
      expect(await ids(q), q).toEqual([])
    expect(await ids('words', { owner: 'nobody' })).toEqual([])
    await insert(
      ...Array.from({ length: 30 }, (_, index) => sampleRun(10 + index, { text: 'many', status: index % 2 ? 'valid' : 'failed' })),
    )
    await foldAll()
    const first = await listRuns(engine, { q: 'many', status: 'failed', limit: 10 })
    const second = await listRuns(engine, { q: 'many', status: 'failed', limit: 10, before: first.next ?? '' })
    expect([...first.runs, ...second.runs].map(({ id }) => Number(id.slice(4)))).toEqual(
      Array.from({ length: 15 }, (_, index) => 38 - 2 * index),
    )
    expect(second.next).toBeUndefined()
    await expect(listRuns(engine, { q: 'many', before: 'x' })).rejects.toThrow('cursor')
  })
})
