import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { addedUp, randomRuns, rounded } from '../../testing/store/summary-by-hand.ts'
import { testEngines } from '../../testing/store-engines.ts'
import { fullIssue, fullRun, sampleRun, sampleTime } from '../../testing/store-fixtures.ts'
import { storeHarness } from '../../testing/store-harness.ts'
import type { Store } from './store.ts'

describe.each(testEngines())('what a store on $name tells', (engine) => {
  const harness = storeHarness(engine)
  const { record, open } = harness
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
  const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => Number(id.slice(4)))

  describe('sessions', () => {
    beforeEach(() =>
      record(
        sampleRun(1, { session: 'a' }),
        sampleRun(2, { session: 'b', status: 'failed' }),
        sampleRun(3, { session: 'a', status: 'failed' }),
        sampleRun(4),
        sampleRun(5, { session: 'c' }),
        sampleRun(6, { session: 'a' }),
      ),
    )

    test('are listed by their last run', async () => {
      const first = await harness.store.listSessions({ limit: 2 })
      expect(first.sessions).toEqual([
        { session: 'a', firstAt: sampleTime + 1000, lastAt: sampleTime + 6000, runs: 3, statuses: { valid: 2, failed: 1 } },
        { session: 'c', firstAt: sampleTime + 5000, lastAt: sampleTime + 5000, runs: 1, statuses: { valid: 1 } },
      ])
      const second = await harness.store.listSessions({ limit: 2, before: first.next ?? '' })
      expect(second.sessions.map(({ session }) => session)).toEqual(['b'])
      expect(second.next).toBeUndefined()
    })

    test('are read with their runs', async () => {
      const session = await harness.store.getSession('a')
      expect(session).toMatchObject({ session: 'a', runs: 3 })
      expect(ids(session?.newest.runs ?? [])).toEqual([6, 3, 1])
      expect(await harness.store.getSession('none')).toBeUndefined()
    })
  })

  test('a search finds what was recorded just now', async () => {
    await record(sampleRun(1, { text: 'lunch' }), sampleRun(2, { text: 'dinner' }))
    expect(ids((await harness.store.listRuns({ q: 'lunch' })).runs)).toEqual([1])
    await record(sampleRun(3, { text: 'late lunch' }))
    expect(ids((await harness.store.listRuns({ q: 'lunch' })).runs)).toEqual([3, 1])
  })

  describe('stats', () => {
    test('count per bucket', async () => {
      const attempt = { call: 'run', ms: 1, issues: [] } as const
      const usage = { promptTokens: 1, completionTokens: 2, cost: 0.5 }
      await record(
        ...numbers(20).map((number) => sampleRun(number, { at: sampleTime + number, ms: number + 1 })),
        sampleRun(20, {
          ...{ at: sampleTime + 100, ms: 7, status: 'unresolved', usage, contract: 'strict', model: 'large', repairs: fullRun(1).repairs },
          attempts: [1, 2, 3].map((number) => ({ ...attempt, number, issues: [fullIssue] })),
          issues: [fullIssue, { ...fullIssue, code: 'WARN', severity: 'warning' }],
        }),
        sampleRun(21, { at: sampleTime + 199, issues: [fullIssue] }),
        sampleRun(22, { at: sampleTime + 300 }),
      )
      const stats = await harness.store.stats({ since: sampleTime, until: sampleTime + 300, bucketMs: 100 })
      const tokens = { promptTokens: 2000, completionTokens: 400, cost: 0 }
      expect(stats.buckets).toEqual([
        { at: sampleTime, runs: 20, statuses: { valid: 20 }, attempts: 20, retries: 0, repairs: 0, ...tokens, p50Ms: 10, p95Ms: 19 },
        {
          ...{ at: sampleTime + 100, runs: 2, statuses: { unresolved: 1, valid: 1 }, attempts: 4, retries: 2, repairs: 1 },
          ...{ promptTokens: 101, completionTokens: 22, cost: 0.5, p50Ms: 7, p95Ms: 31 },
        },
        { at: sampleTime + 200, runs: 0, statuses: {}, attempts: 0, retries: 0, repairs: 0, promptTokens: 0, completionTokens: 0, cost: 0 },
      ])
      const count = { validator: 'max_words', code: 'MAX_WORDS' }
      expect(stats).toMatchObject({ runs: 22, codes: [{ ...count, runs: 2 }] })
      expect(stats.codesByContract).toEqual(
        expect.arrayContaining(['strict', 'default'].map((contract) => ({ contract, ...count, runs: 1 }))),
      )
      expect(stats.codesByModel).toEqual(expect.arrayContaining(['large', 'small'].map((model) => ({ model, ...count, runs: 1 }))))
    })

    test('have at most 200 buckets', async () => {
      const stats = await harness.store.stats({ since: 0, until: sampleTime, bucketMs: 1 })
      expect(stats.buckets).toHaveLength(200)
      expect(stats.bucketMs).toBe(sampleTime / 200)
    })

    test.each([
      { since: 2, until: 2, bucketMs: 1 },
      { since: 0, until: 10, bucketMs: 0 },
      { since: Number.NaN, until: 10, bucketMs: 1 },
      { since: 0, until: Number.POSITIVE_INFINITY, bucketMs: 1 },
    ])('refuse %j', async (query) => {
      await expect(harness.store.stats(query)).rejects.toMatchObject({ name: 'QueryError' })
    })
  })

  test('the summary is what adding up by hand gives', async () => {
    const runs = randomRuns(120)
    await record(...runs)
    const span = { since: sampleTime, until: sampleTime + 100_000 }
    const filters = [
      {},
      { contract: 'a' },
      { key: 'team' },
      { model: 'm1', contract: 'b' },
      { owner: 'team' },
      { contract: 'none' },
    ] as const
    for (const filter of filters) {
      expect(rounded(await harness.store.summary({ ...span, ...filter }))).toEqual(rounded({ ...span, ...addedUp(runs, span, filter) }))
    }
    await expect(harness.store.summary({ since: 2, until: 2 })).rejects.toMatchObject({ name: 'QueryError' })
  })

  test('the summary counts every run of a slice that has more groups than are read', async () => {
    const usage = { promptTokens: 1, completionTokens: 1 }
    await record(
      ...numbers(2100).map((number) => sampleRun(number, { at: sampleTime, key: `key-${number}`, contract: `c${number % 2}`, usage })),
    )
    const { runs, statuses, promptTokens, contracts, keys } = await harness.store.summary({ since: sampleTime, until: sampleTime + 1000 })
    expect({ runs, statuses, promptTokens }).toEqual({ runs: 2100, statuses: { valid: 2100 }, promptTokens: 2100 })
    expect(contracts.map((one) => one.runs)).toEqual([1050, 1050])
    expect(keys).toHaveLength(50)
  })

  test('the summary of many retried runs lets others have their turn', async () => {
    const attempt = (number: number) => ({ number, call: 'run' as const, ms: 1, issues: [fullIssue] })
    await record(...numbers(400).map((number) => sampleRun(number, { at: sampleTime, attempts: [attempt(1), attempt(2)] })))
    let turns = 0
    let done = false
    const others = (async () => {
      for (; !done; turns++) await nextTurn()
    })()
    await harness.store.summary({ since: sampleTime, until: sampleTime + 96 })
    done = true
    await others
    expect(turns).toBeGreaterThanOrEqual(8)
  })

  test('the feed tells every run of every gateway once, in one order', async () => {
    const other = await open()
    await record(sampleRun(0))
    let { cursor } = await harness.store.runsSince()
    const seen: string[] = []
    let done = false
    const follow = async () => {
      while (true) {
        const last = done
        const feed = await harness.store.runsSince(cursor, 7)
        seen.push(...feed.runs.map(({ id }) => id))
        cursor = feed.cursor
        if (last && feed.runs.length === 0) return
        await nextTurn()
      }
    }
    const write = async (writer: Store, from: number) => {
      for (let number = from; number < from + 120; number++) {
        await writer.recorder.run(sampleRun(number))
        if (number % 10 === 0) await writer.flush()
      }
      await writer.flush()
    }
    const following = follow()
    await Promise.all([write(harness.store, 1000), write(other, 5000)])
    done = true
    await following
    expect(seen).toHaveLength(240)
    expect(new Set(seen).size).toBe(240)
    expect((await harness.store.runsSince()).cursor).toBe(cursor)
    await expect(harness.store.runsSince('-1')).rejects.toMatchObject({ name: 'QueryError' })
    await other.close()
  })

  describe('the runs of one key', () => {
    const keys = ['alice', 'bob', '', 'alice'] as const
    const all = numbers(24).map((number) =>
      sampleRun(number, {
        key: keys[number % keys.length] ?? '',
        status: number % 3 === 0 ? 'failed' : 'valid',
        ...(number % 5 === 0 ? {} : { session: `s${number % 3}` }),
        issues: number % 2 === 0 ? [fullIssue] : [],
      }),
    )
    beforeEach(() => record(...all))

    test.each(['alice', 'bob', '', 'nobody', "x' or '1'='1"])('of %j are those that a plain filter finds', async (owner) => {
      const { store } = harness
      const own = all.filter(({ key }) => key === owner && key !== '').toReversed()
      expect((await store.listRuns({ owner })).runs.map(({ id }) => id)).toEqual(own.map(({ id }) => id))
      const withCode = own.filter(({ issues }) => issues.length > 0)
      expect((await store.listRuns({ owner, code: fullIssue.code })).runs.map(({ id }) => id)).toEqual(withCode.map(({ id }) => id))
      expect((await store.listRuns({ owner, status: 'failed', session: 's0' })).runs.map(({ id }) => id)).toEqual(
        own.filter(({ status, session }) => status === 'failed' && session === 's0').map(({ id }) => id),
      )
      for (const { id, key } of all) expect((await store.getRun(id, owner)) !== undefined).toBe(key === owner && key !== '')
      const sessions = [...new Set(own.flatMap(({ session }) => session ?? []))]
      const { sessions: found } = await store.listSessions({ owner })
      expect(found.map(({ session }) => session)).toEqual(sessions)
      for (const session of ['s0', 's1', 's2', 'none']) {
        const runs = own.filter((run) => run.session === session)
        const detail = await store.getSession(session, owner)
        expect(detail?.runs ?? 0).toBe(runs.length)
        expect(detail?.newest.runs.map(({ id }) => id) ?? []).toEqual(runs.map(({ id }) => id))
      }
      const counted = await store.stats({ since: sampleTime, until: sampleTime + 100_000, bucketMs: 10_000, owner })
      expect(counted.runs).toBe(own.length)
      expect(counted.codes.reduce((sum, { runs }) => sum + runs, 0)).toBe(withCode.length)
      expect((await store.runsSince('0', 100, { owner })).runs.map(({ id }) => id)).toEqual(own.map(({ id }) => id).toReversed())
    })
  })
})
