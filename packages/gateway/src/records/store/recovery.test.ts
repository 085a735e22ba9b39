import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { bundleStore, recordInProcess, type StoreBundle } from '../../testing/store/store-process.ts'
import { type TestDatabase, testEngines } from '../../testing/store-engines.ts'
import { fullRun, sampleRun, temporaryFolder, wholeRun } from '../../testing/store-fixtures.ts'
import { entryOfRun } from './journal/line.ts'
import { openStore } from './open-store.ts'
import { shadowEntry } from './rows/entry.ts'
import type { Store } from './store.ts'
import type { StoreAlert } from './store-alert.ts'
import type { StoreOptions } from './store-options.ts'

let bundle: StoreBundle
beforeAll(async () => {
  bundle = await bundleStore()
})
afterAll(() => bundle.remove())

async function allIds(store: Pick<Store, 'runsSince'>): Promise<string[]> {
  const ids: string[] = []
  for (let cursor = '0'; ; ) {
    const feed = await store.runsSince(cursor, 500)
    if (feed.runs.length === 0) return ids
    ids.push(...feed.runs.map(({ id }) => id))
    cursor = feed.cursor
  }
}

describe.each(testEngines())('what a process leaves behind on $name', (engine) => {
  let folder: string
  let database: TestDatabase
  let alerts: StoreAlert[]
  const stores: Store[] = []

  const open = async (options: Partial<StoreOptions> = {}) => {
    const onAlert = (alert: StoreAlert) => void alerts.push(alert)
    const fast = { batchMs: 5, busyTimeoutMs: 20, databaseTimeoutMs: 2000 }
    const store = await openStore({ url: database.url, folder, keepText: true, now: Date.now, onAlert, ...fast, ...options })
    stores.push(store)
    return store
  }
  const journals = () => readdirSync(folder).filter((name) => name.startsWith('journal-'))

  beforeAll(() => engine.start())
  afterAll(() => engine.stop())
  beforeEach(async () => {
    alerts = []
    folder = temporaryFolder((remove) => onTestFinished(remove))
    database = await engine.newDatabase(folder)
  })
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close(200)
    await database.close()
  })

  test('a verdict of a shadow contract is in the journal that another process takes over', async () => {
    const run = sampleRun(1)
    const verdict = { contract: 'next', status: 'valid', liveStatus: 'unresolved', codes: '', liveCodes: 'LOOP' } as const
    const shadow = { id: run.id, at: run.at, verdict }
    const lines = [entryOfRun(run, { keepText: true }), shadowEntry(shadow), { shadow: { id: 7 } }, { shadow: {} }].map((one) =>
      JSON.stringify(one),
    )
    writeFileSync(join(folder, 'journal-1xdead-1.jsonl'), `${lines.join('\n')}\n`)
    const name = journals()[0] ?? ''
    expect(name).not.toBe('')
    const store = await open()
    await expect.poll(async () => (await store.getRun(run.id))?.shadow).toEqual(verdict)
    expect(store.counters.brokenLines).toBe(2)
  })

  test.each([1, 40, 700])('nothing acknowledged is lost when it is killed after %i runs', async (count) => {
    const child = recordInProcess(bundle, { url: database.url, folder, name: 'killed', runs: 1e6 })
    await child.reached(count)
    child.process.kill('SIGKILL')
    expect(await child.ended).toBe('SIGKILL')
    expect(child.acknowledged.length).toBeGreaterThanOrEqual(count)

    const store = await open()
    expect(await store.flush()).toBe(true)
    const ids = await allIds(store)
    expect(ids).toEqual(expect.arrayContaining(child.acknowledged))
    expect(new Set(ids).size).toBe(ids.length)
    expect(await store.getRun(child.acknowledged.at(-1) ?? '')).toMatchObject({ model: 'm', attempts: [{ number: 1 }] })
    expect((await store.health()).counters).toMatchObject({ brokenLines: 0, refused: 0 })
    await store.close()
    expect(journals()).toEqual([])
  })

  test('several processes share a folder, and a survivor takes over from the dead', async () => {
    const store = await open({ adoptEveryMs: 50 })
    await store.recorder.run(sampleRun(1))
    const killed = recordInProcess(bundle, { url: database.url, folder, name: 'killed', runs: 1e6, pauseMs: 5 })
    const orderly = recordInProcess(bundle, { url: database.url, folder, name: 'orderly', runs: 150 })
    await Promise.all([killed.reached(100), orderly.ended])
    killed.process.kill('SIGKILL')
    await killed.ended
    const expected = ['run-00000001', ...killed.acknowledged, ...orderly.acknowledged]
    await expect
      .poll(async () => (await allIds(store)).filter((id) => expected.includes(id)).length, { timeout: 20_000 })
      .toBe(expected.length)
    expect(orderly.acknowledged).toHaveLength(150)
    await expect.poll(journals, { timeout: 5000 }).toHaveLength(2)
  })

  test('the database may be away: records wait in the journal, one alert at each end', async () => {
    const store = await open()
    await store.recorder.run(sampleRun(1))
    await store.flush()
    database.fail()
    for (let number = 2; number < 60; number++) {
      await store.recorder.run(sampleRun(number))
      if (number % 10 === 0) await delay(20)
    }
    expect(await store.flush(300)).toBe(false)
    expect((await store.health()).journal).toMatchObject({ ok: true, waitingBytes: expect.any(Number) })
    expect((await store.health()).counters).toMatchObject({ recorded: 59, written: 1 })
    expect(alerts.map(({ kind }) => kind)).toEqual(['database-failing'])
    database.mend()
    expect(await store.flush(20_000)).toBe(true)
    expect(await allIds(store)).toHaveLength(59)
    expect(alerts.map(({ kind }) => kind)).toEqual(['database-failing', 'database-recovered'])
    expect(JSON.stringify(alerts)).not.toContain('not-a-secret')
  })

  test('closing while the database is away leaves the records for the next start', async () => {
    const store = await open()
    database.fail()
    await store.recorder.run(wholeRun(1))
    await store.recorder.audit({ ts: 5, status: 'valid' })
    await store.close(100)
    expect(journals()).not.toEqual([])
    database.mend()
    const next = await open()
    await next.flush()
    expect(await next.getRun('run-00000001')).toMatchObject(wholeRun(1))
    expect((await next.listAudit({})).audit).toMatchObject([{ at: 5 }])
  })

  test('a journal that is full refuses or drops, tells once, and takes records again', async () => {
    for (const whenFull of ['reject', 'drop'] as const) {
      alerts = []
      const store = await open({ journalLimitBytes: 20_000, whenFull })
      database.fail()
      const results: string[] = []
      for (let number = 0; number < 100; number++) {
        results.push(
          await store.recorder.run(sampleRun(number, { id: `${whenFull}-${number}` })).then(
            () => 'kept',
            ({ reason }) => reason,
          ),
        )
      }
      const { counters, journal } = await store.health()
      expect(journal.bytes).toBeLessThan(21_000)
      expect(counters.recorded).toBeGreaterThan(10)
      expect(counters).toMatchObject(whenFull === 'drop' ? { dropped: 100 - counters.recorded } : { rejected: 100 - counters.recorded })
      expect(new Set(results)).toEqual(new Set(whenFull === 'drop' ? ['kept'] : ['kept', 'journal-full']))
      expect(alerts.filter(({ kind }) => kind === 'journal-failing')).toHaveLength(1)
      database.mend()
      expect(await store.flush(20_000)).toBe(true)
      await store.recorder.run(sampleRun(100, { id: `${whenFull}-after` }))
      await store.flush()
      expect(alerts.filter(({ kind }) => kind === 'journal-recovered')).toHaveLength(1)
      expect(await store.getRun(`${whenFull}-after`)).toBeDefined()
    }
  })

  test('torn and broken lines are skipped and counted, broken ones kept aside; reading twice changes nothing', async () => {
    const first = await open()
    await first.close()
    const line = (run: object) => `${JSON.stringify({ run })}\n`
    const name = join(folder, 'journal-1xdead-0.jsonl')
    const content = [
      ...[
        line(fullRun(1)),
        'garbage\n',
        '\n',
        '{"run":{"id":"x"}}\n',
        '{"audit":{"id":"a","at":1,"row":null}}\n',
        'null\n',
        '[]\n',
        '"run"\n',
        '{"verdicts":[{"id":"v","at":true,"shadow_codes":true}]}\n',
        '{"verdicts":[{"id":"w","at":1,"shadow_codes":["A"],"live_codes":{}}]}\n',
      ],
      ...[`\u0000\ufffd\n`, '{"run":{"id":"y","attempts":[null]}}\n', line(sampleRun(2)), line(sampleRun(3)).slice(0, -20)],
    ].join('')
    for (let time = 0; time < 2; time++) {
      writeFileSync(name, content)
      writeFileSync(join(folder, 'journal-1xdead-1.jsonl'), line(sampleRun(4)))
      const store = await open()
      await store.flush()
      expect(await allIds(store)).toEqual(['run-00000001', 'run-00000002', 'run-00000004'])
      expect(await store.getRun('run-00000001')).toMatchObject(fullRun(1))
      expect((await store.health()).counters).toMatchObject({ tornLines: 1, brokenLines: 9, written: 5, refused: 0 })
      expect(readFileSync(join(folder, 'refused.jsonl'), 'utf8').match(/^garbage$/gm)).toHaveLength(time + 1)
      await store.close()
      expect(journals()).toEqual([])
    }
  })

  test('a record that the database refuses is put aside and holds up nobody', async () => {
    const store = await open()
    await database.forbidModel('poison')
    await Promise.all([1, 2, 3, 4, 5, 6, 7].map((number) => store.recorder.run(sampleRun(number, number === 4 ? { model: 'poison' } : {}))))
    expect(await store.flush()).toBe(true)
    expect(await allIds(store)).toEqual([1, 2, 3, 5, 6, 7].map((number) => `run-0000000${number}`))
    expect((await store.health()).counters).toMatchObject({ refused: 1, written: 6 })
    expect(alerts.map(({ kind }) => kind)).toEqual(['records-refused'])
    expect(readFileSync(join(folder, 'refused.jsonl'), 'utf8')).toContain('run-00000004')
  })

  test('texts in an old journal are not kept once texts are not to be kept', async () => {
    writeFileSync(join(folder, 'journal-1xdead-0.jsonl'), `${JSON.stringify({ run: fullRun(1) })}\n`)
    const store = await open({ keepText: false })
    await store.flush()
    const kept = JSON.stringify(await store.getRun('run-00000001'))
    for (const text of ['eins', 'zwei', 'kürzer']) expect(kept).not.toContain(text)
  })

  test('texts that wait for the database are not kept once texts are not to be kept', async () => {
    const store = await open()
    database.fail()
    await store.recorder.run(fullRun(1))
    store.configure({ keepText: false })
    await store.recorder.run(fullRun(2))
    database.mend()
    expect(await store.flush(20_000)).toBe(true)
    const kept = JSON.stringify([await store.getRun('run-00000001'), await store.getRun('run-00000002')])
    for (const text of ['eins', 'zwei', 'kürzer']) expect(kept).not.toContain(text)
    expect(kept).toContain('run-00000002')
  })

  test('foreign files in the folder are left alone', async () => {
    for (const name of ['notes.txt', 'journal-.jsonl', 'journal-A-0.jsonl', 'journal-a-0.jsonl.bak'])
      appendFileSync(join(folder, name), 'mine')
    const store = await open()
    await store.recorder.run(sampleRun(1))
    await store.close()
    expect(readFileSync(join(folder, 'journal-a-0.jsonl.bak'), 'utf8')).toBe('mine')
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['notes.txt', 'journal-.jsonl', 'journal-A-0.jsonl']))
  })
})

describe('the thread that writes into SQLite', () => {
  const open = async () => {
    const folder = temporaryFolder((remove) => onTestFinished(remove))
    const store = await openStore({ url: `sqlite:${join(folder, 'state.db')}`, folder, keepText: true, now: Date.now, batchMs: 5 })
    onTestFinished(() => store.close())
    return store
  }
  /** How a thread ends: before it has loaded anything, after its next answer, or before anybody hears that answer. */
  type End = 'at its start' | 'after an answer' | 'before its answer is heard'
  /** Everything that is started, from now on. A thread is ended only where it calls nothing: the driver of SQLite does not survive more. */
  const startedThreads = () => {
    const threads: Worker[] = []
    const messages: unknown[] = []
    const ends: End[] = []
    const add = (thread: Worker) => {
      threads.push(thread)
      if (ends[0] === 'at its start') {
        ends.shift()
        return void thread.terminate()
      }
      const emit = thread.emit.bind(thread)
      thread.emit = (event: string | symbol, ...values: unknown[]) => {
        if (event === 'message') messages.push(values[0])
        const end = event === 'message' && values[0] !== 'ready' ? ends.shift() : undefined
        if (end !== undefined) void thread.terminate()
        return end === 'before its answer is heard' || emit(event, ...values)
      }
    }
    process.on('worker', add)
    onTestFinished(() => void process.off('worker', add))
    const ready = () => expect.poll(() => messages, { timeout: 20_000 }).toEqual(['ready'])
    return { threads, messages, ends, ready }
  }

  test.each([
    { began: true, planned: ['after an answer', 'before its answer is heard', 'before its answer is heard', 'after an answer'] as const },
    { began: false, planned: ['at its start'] as const },
  ])('may end at any time, and nothing is lost or kept twice ($planned)', async ({ began, planned }) => {
    const { threads, ends, ready } = startedThreads()
    const store = await open()
    if (began) {
      await store.recorder.audit({ ts: 5, status: 'valid' })
      await store.flush()
      await ready()
    }
    ends.push(...planned)
    const ids: string[] = []
    // Until each has happened: a thread that starts again writes only what comes after it is ready.
    for (let number = 0; number < 400 || (ends.length > 0 && number < 20_000); number++) {
      ids.push(sampleRun(number).id)
      await store.recorder.run(sampleRun(number))
      if (number % 20 === 10) void store.flush()
      if (number % 20 === 13) await delay(5)
    }
    expect(await store.flush(20_000)).toBe(true)
    expect(ends).toEqual([])
    expect((await allIds(store)).toSorted()).toEqual(ids)
    expect(threads.length > 1).toBe(began)
    const count = ids.length + (began ? 1 : 0)
    expect(store.counters).toMatchObject({ recorded: count, written: count, refused: 0, brokenLines: 0 })
    expect(store.waitingBytes).toBe(0)
  })

  test('is not started before there is something to write, and ends with the store', async () => {
    const { threads, messages, ready } = startedThreads()
    const store = await open()
    await store.cache.set('key', '{}', 60)
    expect(threads).toEqual([])
    await store.recorder.run(sampleRun(0))
    await store.flush()
    await ready()
    await Promise.all([store.recorder.run(wholeRun(1)), store.recorder.audit({ ts: 5, status: 'valid' })])
    await store.flush()
    expect(messages).toEqual(['ready', { written: 2 }])
    expect(await store.getRun('run-00000001')).toMatchObject(wholeRun(1))
    expect((await store.listAudit({})).audit).toMatchObject([{ at: 5 }])
    await store.close()
    expect(threads.map(({ threadId }) => threadId)).toEqual([-1])
  })
})

describe.each(testEngines().filter(({ name }) => name === 'postgres'))('$name over the network', (engine) => {
  let folder: string
  let database: TestDatabase
  beforeAll(() => engine.start())
  afterAll(() => engine.stop())
  beforeEach(async () => {
    folder = temporaryFolder((remove) => onTestFinished(remove))
    database = await engine.newDatabase(folder)
  })
  afterEach(() => database.close())
  const open = (url: string) => openStore({ url, folder, keepText: false, now: Date.now, batchMs: 5, databaseTimeoutMs: 400, poolSize: 2 })

  test('a server that falls silent is given up, and found again', async () => {
    const store = await open(database.url)
    await store.recorder.run(sampleRun(1))
    await store.flush()
    database.stall()
    await store.recorder.run(sampleRun(2))
    expect(await store.flush(100)).toBe(false)
    await expect(store.getRun('run-00000001')).rejects.toMatchObject({ name: 'StoreUnavailable', reason: 'database' })
    expect(await store.health()).toMatchObject({ ok: false, database: { ok: false } })
    expect(store.waitingBytes).toBeGreaterThan(0)
    database.fail()
    database.mend()
    expect(await store.flush(20_000)).toBe(true)
    expect(store.waitingBytes).toBe(0)
    expect(store.counters.failures).toBeGreaterThan(0)
    expect(await store.getRun('run-00000002')).toBeDefined()
    await store.close()
  })

  test.each([
    ['a wrong password', (url: string) => url.replace('not-a-secret', 'hunter2-canary')],
    ['no server', (url: string) => url.replace(/:\d+\//, ':1/').replace('not-a-secret', 'hunter2-canary')],
    ['a broken escape', (url: string) => url.replace('not-a-secret', 'hunter2-canary%zz')],
    ['a missing certificate', (url: string) => `${url.replace('not-a-secret', 'hunter2-canary')}?sslrootcert=/hunter2-canary`],
  ])('%s is told without the address', async (_, change) => {
    const error = await open(change(database.url)).catch((error: unknown) => error)
    expect(error).toMatchObject({ name: 'StoreUnavailable', reason: 'database' })
    const told = error instanceof Error ? `${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}` : ''
    expect(told).not.toMatch(/hunter2-canary|127\.0\.0\.1/)
  })
})
