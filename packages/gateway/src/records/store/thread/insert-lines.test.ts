import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fullRun, sampleRun, temporaryFolder, wholeRun } from '../../../testing/store-fixtures.ts'
import type { RunRecord } from '../../run/run-record.ts'
import { sqliteDatabase } from '../engine/sqlite-database.ts'
import { entryOfRun } from '../journal/line.ts'
import { openStore } from '../open-store.ts'
import { insertLines } from './insert-lines.ts'

const lineOf = (run: RunRecord): string => JSON.stringify(entryOfRun(run, { keepText: true }))

/** A database, and a journal with a content that is read from behind its first line on. */
async function setUp(lines: readonly string[]) {
  const folder = temporaryFolder((remove) => onTestFinished(remove))
  const url = `sqlite:${join(folder, 'state.db')}`
  const store = await openStore({ url, folder, keepText: true, now: Date.now })
  const database = sqliteDatabase(join(folder, 'state.db'), { busyTimeoutMs: 100 })
  const journal = join(folder, 'lines')
  const content = ['written before', ...lines].map((line) => `${line}\n`).join('')
  writeFileSync(journal, content)
  const descriptor = openSync(journal, 'r')
  onTestFinished(async () => {
    closeSync(descriptor)
    database.close()
    await store.close()
  })
  return { store, journal, insert: insertLines(database, 500), place: { descriptor, from: 15, to: Buffer.byteLength(content) } }
}

test('writes all lines of a place, however many they are, and once when they come again', async () => {
  const runs = Array.from({ length: 1200 }, (_, number) => sampleRun(number, { reason: 'ä'.repeat(200) }))
  const { store, insert, place } = await setUp([...runs, fullRun(1200), wholeRun(1201)].map(lineOf))
  expect(place.to).toBeGreaterThan(600_000)
  for (let time = 0; time < 2; time++) expect(insert(place)).toBe(1202)
  expect((await store.runsSince('0', 2000)).runs.length).toBe(500)
  expect(await store.getRun('run-00000000')).toMatchObject(sampleRun(0, { reason: 'ä'.repeat(200) }))
  expect(await store.getRun('run-00001199')).toBeDefined()
  expect(await store.getRun('run-00001200')).toMatchObject(fullRun(1200))
  expect(await store.getRun('run-00001201')).toMatchObject(wholeRun(1201))
})

test.each([
  ['within a line', -5],
  ['before the place', -1e6],
])('leaves a journal that somebody has cut %s to those who count what is torn', async (_, cut) => {
  const { journal, insert, place } = await setUp([lineOf(sampleRun(1))])
  writeFileSync(journal, `${'x'.repeat(14)}\n${lineOf(sampleRun(1))}\n`.slice(0, cut))
  expect(() => insert(place)).toThrow(TypeError)
})
