import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testEngines } from '../../testing/store-engines.ts'
import { fullIssue, fullRun, sampleRun, sampleTime, temporaryFolder } from '../../testing/store-fixtures.ts'
import { storeHarness } from '../../testing/store-harness.ts'
import type { RunRecord } from '../run/run-record.ts'
import { openStore } from './open-store.ts'

describe.each(testEngines())('a store on $name', (engine) => {
  const harness = storeHarness(engine)
  const { open, reopen, record } = harness
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
  const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => Number(id.slice(4)))

  describe('runs', () => {
    test('come back as they were', async () => {
      await record(fullRun(1), sampleRun(2))
      const { counts, ...run } = (await harness.store.getRun('run-00000001')) ?? { counts: undefined }
      expect(run).toEqual(fullRun(1))
      expect(counts).toEqual({ attempts: 2, issues: 1, fixed: 1, repairs: 1 })
      expect(await harness.store.getRun('run-00000002')).toMatchObject(sampleRun(2))
      expect(await harness.store.getRun('run-00000003')).toBeUndefined()
      expect(await harness.store.getRun("' or 1=1 --")).toBeUndefined()
    })

    test('take the verdict of a shadow contract later, with texts and without, and no other run does', async () => {
      const verdict = { contract: 'next', status: 'unresolved', liveStatus: 'valid', codes: 'MAX_WORDS, TOO_LONG', liveCodes: '' } as const
      for (const keepText of [true, false]) {
        await reopen({ keepText })
        const [one, other] = [sampleRun(keepText ? 1 : 3), sampleRun(keepText ? 2 : 4)]
        const { recorder } = harness.store
        // In one turn, and the run that it belongs to may be in the same batch or in an earlier one.
        const [first, , late] = [recorder.run(one), recorder.run(other), recorder.shadow({ id: one.id, at: one.at, verdict })]
        await Promise.all([first, late])
        await harness.store.flush()
        await recorder.shadow({ id: 'run-of-nobody', at: one.at, verdict })
        await recorder.shadow({ id: other.id, at: other.at, verdict: { ...verdict, codes: "x'; drop table runs; --" } })
        await recorder.shadow({ id: other.id, at: other.at, verdict })
        await harness.store.flush()
        expect((await harness.store.getRun(one.id))?.shadow).toEqual(verdict)
        expect((await harness.store.getRun(other.id))?.shadow).toEqual(verdict)
        expect((await harness.store.listRuns({})).runs.every(({ shadow }) => shadow?.codes === verdict.codes)).toBe(true)
      }
      await record(sampleRun(5))
      expect((await harness.store.getRun('run-00000005'))?.shadow).toBeUndefined()
      expect((await harness.store.health()).counters).toMatchObject({ refused: 0, brokenLines: 0 })
    })

    test('are kept without any text when texts are not kept', async () => {
      await reopen({ keepText: false })
      const run = fullRun(1)
      await record({ ...run, repairs: [{ rule: 'cut', class: 'lossy', span: { start: 0, end: 4 }, before: 'eins', after: 'zwei' }] })
      const kept = JSON.stringify(await harness.store.getRun(run.id))
      for (const text of ['eins', 'zwei', 'kürzer']) expect(kept).not.toContain(text)
      expect(kept).toContain('"rule":"cut"')
    })

    test('survive hostile values', async () => {
      const nasty = `a\0b\ud800 ' " ; drop table runs; -- % _ \\ 😀\r\n\u2028`
      const long = 'é'.repeat(100_000)
      await record(
        sampleRun(1, {
          model: nasty,
          session: nasty,
          contract: nasty,
          key: long,
          text: `${long}\0`,
          failure: { kind: nasty, message: long },
        }),
        sampleRun(2, {
          session: long,
          model: long,
          issues: Array.from({ length: 10_000 }, () => ({ ...fullIssue, message: long.slice(0, 50) })),
        }),
        sampleRun(3, {
          ms: Number.NaN,
          at: sampleTime + 0.5,
          httpStatus: Number.POSITIVE_INFINITY,
          usage: { promptTokens: 1.5, completionTokens: 1e300 },
        }),
        {
          ...sampleRun(4),
          stream: 'yes',
          choice: true,
          attempts: [{ number: '1', issues: [] }],
          unchecked: [null],
        } as unknown as RunRecord,
      )
      expect((await harness.store.health()).counters).toMatchObject({ written: 4, refused: 0, brokenLines: 0 })
      const clean = nasty.replace('\0', '\ufffd').replace('\ud800', '\ufffd')
      expect(await harness.store.getRun('run-00000001')).toMatchObject({ model: clean, session: clean, text: `${long}\ufffd` })
      expect((await harness.store.listRuns({ session: long })).runs).toMatchObject([{ id: 'run-00000002', issues: 10_000 }])
      expect((await harness.store.listRuns({ model: '%' })).runs).toEqual([])
      expect(await harness.store.getRun('run-00000003')).toMatchObject({ ms: 0, at: sampleTime, httpStatus: 0, usage: { promptTokens: 1 } })
      expect((await harness.store.getSession(long))?.runs).toBe(1)
    })

    test.each([
      ['no id', { ...sampleRun(1), id: '' }],
      ['a long id', { ...sampleRun(1), id: 'x'.repeat(201) }],
      ['a number as id', { ...sampleRun(1), id: 7 } as unknown as RunRecord],
      ['no lists', { id: 'x' } as unknown as RunRecord],
      ['nothing', undefined as unknown as RunRecord],
      ['a big integer', { ...sampleRun(1), unchecked: [1n] } as unknown as RunRecord],
    ])('with %s are refused when they are recorded', async (_, run) => {
      await expect(harness.store.recorder.run(run)).rejects.toThrow(TypeError)
      expect((await harness.store.health()).counters).toMatchObject({ rejected: 1, recorded: 0 })
    })

    test('that are too large lose their texts, and only then are refused', async () => {
      await reopen({ recordLimitBytes: 2000 })
      await record(sampleRun(1, { text: 'x'.repeat(3000) }))
      expect(await harness.store.getRun('run-00000001')).not.toHaveProperty('text')
      const facts = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`fact-${index}`, 'x'.repeat(200)]))
      await expect(harness.store.recorder.run(sampleRun(2, { facts }))).rejects.toMatchObject({ reason: 'too-large' })
    })

    test('are kept once, however often they are recorded', async () => {
      await record(fullRun(1), fullRun(1))
      await record(fullRun(1))
      expect((await harness.store.listRuns({})).runs).toHaveLength(1)
      expect(await harness.store.getRun('run-00000001')).toMatchObject(fullRun(1))
    })
  })

  describe('listRuns', () => {
    test('gives pages, newest first, without gaps or repetitions', async () => {
      const sameTime = (number: number) => sampleRun(number, { at: sampleTime + Math.floor(number / 4) })
      await record(...numbers(23).map(sameTime))
      const seen: number[] = []
      for (let before: string | undefined, pages = 0; pages < 10; pages++) {
        const { runs, next } = await harness.store.listRuns({ limit: 5, ...(before === undefined ? {} : { before }) })
        seen.push(...ids(runs))
        before = next
        if (next === undefined) break
      }
      expect(seen).toEqual(numbers(23).reverse())
    })

    test.each([
      [{ status: 'failed' }, [5]],
      [{ contract: 'strict' }, [4, 2]],
      [{ contract: 'strict', model: 'large' }, [2]],
      [{ model: 'large' }, [3, 2]],
      [{ session: 's' }, [4, 3]],
      [{ api: 'messages' }, [1]],
      [{ code: 'MAX_WORDS' }, [7, 6]],
      [{ code: 'MAX_WORDS', limit: 1 }, [7]],
      [{ code: 'MAX_WORDS', until: sampleTime + 7000 }, [6]],
      [{ code: 'MAX_WORDS', status: 'valid' }, []],
      [{ code: 'OTHER' }, [6]],
      [{ code: 'NONE' }, []],
      [{ since: sampleTime + 3000, until: sampleTime + 5000 }, [4, 3]],
      [{ limit: 2 }, [7, 6]],
      [{ limit: 0 }, [7]],
      [{ limit: Number.NaN }, [7, 6, 5, 4, 3, 2, 1]],
      [{ limit: 1e9 }, [7, 6, 5, 4, 3, 2, 1]],
      [{ session: "s' or '1'='1" }, []],
    ] as const)('with %j', async (filter, expected) => {
      const shared = [fullIssue, fullIssue, { ...fullIssue, validator: 'other' }, { ...fullIssue, code: 'OTHER' }]
      await record(
        sampleRun(1, { api: 'messages' }),
        sampleRun(2, { contract: 'strict', model: 'large' }),
        sampleRun(3, { model: 'large', session: 's' }),
        sampleRun(4, { contract: 'strict', session: 's' }),
        sampleRun(5, { status: 'failed' }),
        sampleRun(6, { status: 'unresolved', attempts: [{ number: 1, call: 'run', ms: 1, issues: shared }], issues: shared }),
        sampleRun(7, { status: 'repaired', fixed: [fullIssue] }),
      )
      expect(ids((await harness.store.listRuns(filter)).runs)).toEqual(expected)
    })

    test('pages through the runs with a code', async () => {
      await record(...numbers(9).map((number) => sampleRun(number, number % 2 === 0 ? { issues: [fullIssue, fullIssue] } : {})))
      const first = await harness.store.listRuns({ code: 'MAX_WORDS', limit: 3 })
      expect(ids(first.runs)).toEqual([8, 6, 4])
      expect(ids((await harness.store.listRuns({ code: 'MAX_WORDS', limit: 3, before: first.next ?? '' })).runs)).toEqual([2, 0])
    })

    test.each(['', 'x', '1', '_', "1_'", `${'9'.repeat(17)}_a`, '1_'.padEnd(400, 'x')])(
      'refuses %j as a cursor, or finds nothing',
      async (before) => {
        await record(sampleRun(1))
        const answer = await harness.store.listRuns({ before }).catch((error: Error) => error.name)
        expect(['QueryError', { runs: [] }]).toContainEqual(answer)
      },
    )
  })

  describe('audit', () => {
    test('rows come back, the last first, in pages', async () => {
      for (const ts of [1, 2, 3]) await harness.store.recorder.audit({ ts, question_hash: `h${ts}`, errors: [{ kind: 'x\0' }] })
      await harness.store.flush()
      const first = await harness.store.listAudit({ limit: 2 })
      expect(first.audit.map(({ at, row }) => [at, row])).toEqual(
        [3, 2].map((ts) => [ts, { ts, question_hash: `h${ts}`, errors: [{ kind: 'x\0' }] }]),
      )
      expect((await harness.store.listAudit({ limit: 2, before: first.next ?? '' })).audit).toMatchObject([{ at: 1 }])
      await expect(harness.store.listAudit({ before: 'x' })).rejects.toMatchObject({ name: 'QueryError' })
    })

    test('rows lose question and answer when texts are not kept', async () => {
      await reopen({ keepText: false })
      await harness.store.recorder.audit({ answer: 'secret words', question: 'secret too', status: 'valid' })
      await reopen({ keepText: false, keepAuditText: true })
      await harness.store.recorder.audit({ answer: 'kept', status: 'valid' })
      await harness.store.flush()
      expect((await harness.store.listAudit({})).audit).toMatchObject([
        { row: { answer: 'kept' }, at: harness.now },
        { row: { status: 'valid' } },
      ])
      expect(JSON.stringify(await harness.store.listAudit({}))).not.toContain('secret')
    })
  })

  describe('the answer cache', () => {
    test('keeps values until they expire', async () => {
      await harness.store.cache.set('k', { answer: 'ä\0', list: [1, null] }, 10)
      expect(await harness.store.cache.get('k')).toEqual({ answer: 'ä\0', list: [1, null] })
      await harness.store.cache.set('k', 'second', 10)
      harness.now += 9999
      expect(await harness.store.cache.get('k')).toBe('second')
      harness.now += 1
      expect(await harness.store.cache.get('k')).toBeUndefined()
      expect(await harness.store.cache.get("' or 1=1 --")).toBeUndefined()
    })

    test('drops the expired, then the oldest', async () => {
      await reopen({ cacheEntries: 3 })
      await harness.store.cache.set('short', 1, 1)
      harness.now += 2000
      for (const key of ['a', 'b', 'c', 'd']) {
        harness.now += 1
        await harness.store.cache.set(key, key, 100)
      }
      const values = await Promise.all(['short', 'a', 'b', 'c', 'd'].map((key) => harness.store.cache.get(key)))
      expect(values).toEqual([undefined, undefined, 'b', 'c', 'd'])
    })

    test.each<[string, string, unknown, number]>([
      ['nothing', 'k', undefined, 10],
      ['a large value', 'k', 'x'.repeat(1024 * 1024), 10],
      ['a long key', 'k'.repeat(300), 1, 10],
      ['no time', 'k', 1, 0],
      ['no number', 'k', 1, Number.NaN],
    ])('does not keep %s', async (_, key, value, ttl) => {
      await harness.store.cache.set(key, value, ttl)
      expect(await harness.store.cache.get(key)).toBeUndefined()
    })
  })

  test('purge deletes what is old, with all its parts', async () => {
    await record(...numbers(450).map(fullRun), sampleRun(900_000, { at: sampleTime + 86_400_000 }))
    for (const ts of [sampleTime, sampleTime + 86_400_000]) await harness.store.recorder.audit({ ts })
    await harness.store.flush()
    harness.now = sampleTime + 30 * 86_400_000
    expect(await harness.store.purge()).toEqual({ runs: 0, audit: 0 })
    // PostgreSQL forgets whole days.
    harness.now = engine.name === 'sqlite' ? harness.now + 1000 * 450 : Math.ceil(harness.now / 86_400_000) * 86_400_000
    expect(await harness.store.purge()).toEqual({ runs: 450, audit: 1 })
    expect(ids((await harness.store.listRuns({})).runs)).toEqual([900_000])
    expect((await harness.store.stats({ since: sampleTime, until: sampleTime + 10, bucketMs: 10 })).codes).toEqual([])
    // A part that had stayed behind would belong to the run again.
    await record(sampleRun(5))
    expect(await harness.store.getRun('run-00000005')).toMatchObject({ issues: [], repairs: [], attempts: [sampleRun(5).attempts[0]] })
    await reopen({})
    const forever = await open({ retentionDays: undefined as never, auditRetentionDays: undefined as never, now: () => harness.now * 2 })
    expect(await forever.purge()).toEqual({ runs: 0, audit: 0 })
    await forever.close()
    const auditing = await open({ retentionDays: undefined as never, auditRetentionDays: 1, now: () => harness.now * 2 })
    expect(await auditing.purge()).toEqual({ runs: 0, audit: 1 })
    await auditing.close()
  })

  test('many gateways can start at once on an empty database', async () => {
    const fresh = await engine.newDatabase(temporaryFolder((remove) => onTestFinished(remove)))
    const stores = await Promise.all(
      numbers(6).map(() => openStore({ url: fresh.url, folder: harness.folder, keepText: false, now: () => harness.now })),
    )
    await stores[0]?.recorder.run(sampleRun(1))
    await stores[0]?.flush()
    expect(await stores[5]?.getRun('run-00000001')).toBeDefined()
    await Promise.all(stores.map((one) => one.close()))
    await fresh.close()
  })

  test('closing leaves nothing in the harness.folder, and a closed store takes nothing', async () => {
    await harness.store.recorder.run(sampleRun(1))
    await harness.store.close()
    expect(readdirSync(harness.folder).filter((name) => name.startsWith('journal'))).toEqual([])
    await expect(harness.store.recorder.run(sampleRun(2))).rejects.toMatchObject({ name: 'StoreUnavailable', reason: 'closed' })
    harness.store = await open()
    expect(ids((await harness.store.listRuns({})).runs)).toEqual([1])
  })

  test('health tells how it is doing', async () => {
    await record(sampleRun(1))
    expect(await harness.store.health()).toMatchObject({
      ...{ ok: true, engine: engine.name, database: { ok: true }, journal: { ok: true, bytes: 0, waitingBytes: 0 } },
      counters: { recorded: 1, written: 1, dropped: 0, rejected: 0, tornLines: 0, brokenLines: 0, refused: 0, failures: 0 },
    })
  })
})

test('a store in memory needs no folder', async () => {
  const store = await openStore({ url: 'sqlite::memory:', folder: '/nowhere/to/be/found', keepText: false, now: Date.now })
  await store.recorder.run(sampleRun(1))
  await store.flush()
  expect(await store.getRun('run-00000001')).toMatchObject({ model: 'small' })
  await store.close()
})

test('a database of a newer version is left alone', async () => {
  const folder = temporaryFolder((remove) => onTestFinished(remove))
  const options = { url: `sqlite:${join(folder, 'state.db')}`, folder, keepText: false, now: Date.now }
  await (await openStore(options)).close()
  const database = new Database(join(folder, 'state.db'))
  database.exec("insert into stickler_migrations values ('9999-future', 0)")
  database.close()
  await expect(openStore(options)).rejects.toThrow('newer version')
})
