import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fullRun, sampleRun, temporaryFolder, wholeRun } from '../../../testing/store-fixtures.ts'
import { entryOfRun } from '../journal/line.ts'
import { createQueries } from '../queries.ts'
import { migrate } from '../schema/migrate.ts'
import { openSqlite } from './sqlite.ts'

test.skipIf(process.platform === 'win32')('what is kept can be read by its owner only', async () => {
  const path = join(
    temporaryFolder((remove) => onTestFinished(remove)),
    'deep',
    'runs.db',
  )
  const engine = await openSqlite(path, { busyTimeoutMs: 1000 })
  onTestFinished(() => engine.close())
  await engine.transaction(async () => {})
  for (const end of ['', '-wal', '-shm']) expect(((await stat(path + end)).mode & 0o777).toString(8)).toBe('600')
})

test('a thread writes all lines, however many they are, and once when they come again', async () => {
  const path = join(
    temporaryFolder((remove) => onTestFinished(remove)),
    'runs.db',
  )
  const engine = await openSqlite(path, { busyTimeoutMs: 1000, hasThread: true })
  onTestFinished(() => engine.close())
  await migrate(engine, Date.now)
  const many = Array.from({ length: 1200 }, (_, number) => sampleRun(number, { reason: 'ä'.repeat(200) }))
  const runs = [...many, fullRun(1200), wholeRun(1201)]
  const bytes = Buffer.from(runs.map((run) => `${JSON.stringify(entryOfRun(run, { keepText: true }))}\n`).join(''))
  // The first task starts the thread, and does not wait for it.
  expect(await engine.insertLines?.(bytes)).toBeUndefined()
  await expect.poll(() => engine.insertLines?.(bytes)).toBe(1202)
  expect(await engine.insertLines?.(bytes)).toBe(1202)
  const queries = createQueries(engine, { endsSession: () => false, now: Date.now })
  expect((await queries.runsSince('0', 2000)).runs.length).toBe(500)
  for (const number of [0, 1199, 1200, 1201]) expect(await queries.getRun(runs[number]?.id ?? '')).toMatchObject(runs[number] ?? {})
  expect(await engine.insertLines?.(Buffer.from('{}\n'))).toBeUndefined()
})
