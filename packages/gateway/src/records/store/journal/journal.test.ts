import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Database from 'libsql'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../testing/store-fixtures.ts'
import { findOrphans } from '../record-keeper.ts'
import { AlertSwitch, type StoreAlert } from '../store-alert.ts'
import { diskFiles } from './disk-files.ts'
import { Journal } from './journal.ts'
import type { JournalFiles } from './journal-files.ts'
import { memoryFiles } from './memory-files.ts'
import { type Chunk, linesIn } from './segment.ts'

const texts = (chunk: Chunk | undefined) => chunk && linesIn(chunk.bytes)

const places = [
  { place: 'on disk', make: (folder: string) => diskFiles(folder) },
  { place: 'in memory', make: () => memoryFiles() },
]

describe.each(places)('a journal $place', ({ make }) => {
  let folder: string
  let files: JournalFiles
  let alerts: StoreAlert[]
  let owners = 0

  const newJournal = (options: { readonly limitBytes?: number; readonly segmentBytes?: number } = {}) =>
    new Journal({
      files,
      newOwner: () => `owner${owners++}`,
      limitBytes: 1000,
      segmentBytes: 100,
      alerts: new AlertSwitch('journal', (alert) => alerts.push(alert)),
      onAppend: () => {},
      ...options,
    })
  const readAll = (journal: Journal) => {
    const lines: string[] = []
    for (let chunk = journal.next(); chunk; chunk = journal.next()) {
      lines.push(...linesIn(chunk.bytes))
      chunk.done()
    }
    return lines
  }
  const segments = () => files.list().filter((name) => name.endsWith('.jsonl'))

  beforeEach(() => {
    folder = temporaryFolder((remove) => onTestFinished(remove))
    files = make(folder)
    alerts = []
  })

  test('gives lines back in their order, over several files, and removes what is done', async () => {
    const journal = newJournal()
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index} äöü😀`)
    for (const line of lines) await journal.append(line)
    expect(segments().length).toBeGreaterThan(5)
    const chunk = journal.next()
    expect(texts(journal.next())).toEqual(texts(chunk))
    expect(readAll(journal)).toEqual(lines)
    expect(segments()).toHaveLength(1)
    expect([journal.bytes, journal.unread]).toEqual([0, 0])
    journal.close()
    expect(files.list()).toEqual([])
  })

  test('writes a line that comes alone at once', async () => {
    const journal = newJournal()
    for (const bytes of [2, 4]) {
      const promise = journal.append('a')
      expect(journal.bytes).toBe(bytes)
      await promise
      await nextTurn()
    }
    journal.close()
  })

  test('writes all lines of a turn at once where there are several, and acknowledges them together', async () => {
    const journal = newJournal()
    const [, second, third] = ['a', 'b', 'c'].map((line) => journal.append(line))
    expect(journal.bytes).toBe(2)
    expect(second).toBe(third)
    await third
    expect(journal.bytes).toBe(6)
    const promises = ['d', 'e'].map((line) => journal.append(line))
    expect(journal.bytes).toBe(6)
    await promises[0]
    expect(journal.bytes).toBe(10)
    expect(new Set(promises).size).toBe(1)
    expect(readAll(journal)).toEqual(['a', 'b', 'c', 'd', 'e'])
    journal.close()
  })

  test('tells whether more follows at once, so that nobody waits before a backlog is written', async () => {
    const journal = newJournal({ limitBytes: 1e8, segmentBytes: 1e8 })
    for (let line = 0; line < 12; line++) {
      await journal.append('x'.repeat(60_000))
      await nextTurn()
    }
    for (let chunk = journal.next(); chunk !== undefined; chunk = journal.next()) {
      const { length } = linesIn(chunk.bytes).join(' ')
      expect(chunk.isCut).toBe(journal.unread > length + 1)
      chunk.done()
    }
    await journal.append('one')
    expect(journal.next()).toMatchObject({ isCut: false })
    journal.close()
  })

  test('gives back a line that is longer than a chunk', async () => {
    const journal = newJournal({ limitBytes: 1e8, segmentBytes: 1e8 })
    const long = 'x'.repeat(3_000_000)
    await Promise.all(['a', long, 'b'].map((line) => journal.append(line)))
    expect(readAll(journal)).toEqual(['a', long, 'b'])
    journal.close()
  })

  test('writes what is pending when it closes, and is found by others only then', async () => {
    const journal = newJournal()
    const promise = journal.append('kept')
    journal.seal()
    await promise
    expect(findOrphans(files)).toEqual([])
    journal.close()
    const [orphan] = findOrphans(files)
    expect(findOrphans(files)).toEqual([])
    expect(texts(orphan?.next())).toEqual(['kept'])
    orphan?.release()
    const [again] = findOrphans(files)
    again?.next()?.done()
    expect(again?.next()).toBeUndefined()
    again?.release()
    expect(files.list()).toEqual([])
  })

  test('stays full until a quarter is free', async () => {
    const journal = newJournal()
    const line = 'x'.repeat(49)
    for (let left = 20; left > 0; left--) {
      expect(journal.isFull()).toBe(false)
      await journal.append(line)
    }
    expect(journal.isFull()).toBe(true)
    journal.next()?.done()
    expect([journal.bytes, journal.isFull()]).toEqual([900, true])
    for (let left = 2; left > 0; left--) journal.next()?.done()
    expect([journal.bytes, journal.isFull()]).toEqual([700, false])
    await journal.append(line)
    expect(alerts.map(({ kind }) => kind)).toEqual(['journal-failing', 'journal-recovered'])
    journal.close()
  })

  test.each(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS'])('rejects while the disk says %s, with one alert, and recovers', async (code) => {
    let broken = false
    const working = files
    const torn = Buffer.from('torn')
    files = {
      ...working,
      create(name) {
        const file = working.create(name)
        const write = (bytes: Uint8Array, position: number) => {
          if (!broken) return file.write(bytes, position)
          file.write(torn, position)
          throw Object.assign(new Error(`${code}: /secret/path`), { code })
        }
        return { ...file, write }
      },
    }
    const journal = newJournal()
    await journal.append('before')
    broken = true
    const reason = { ENOSPC: 'disk-full', EDQUOT: 'disk-full', EIO: 'io', EROFS: 'read-only' }[code]
    for (let left = 5; left > 0; left--) {
      await expect(journal.append('lost')).rejects.toMatchObject({ name: 'StoreUnavailable', reason, code })
    }
    expect(alerts).toMatchObject([{ kind: 'journal-failing', message: expect.not.stringContaining('secret') }])
    broken = false
    await journal.append('after')
    expect(alerts.map(({ kind }) => kind)).toEqual(['journal-failing', 'journal-recovered'])
    expect(readAll(journal)).toEqual(['before', 'after'])
    journal.close()
  })
})

test('a folder that cannot be made rejects, until it can', async () => {
  const folder = temporaryFolder((remove) => onTestFinished(remove))
  const inTheWay = join(folder, 'state')
  writeFileSync(inTheWay, 'a file')
  const alerts: string[] = []
  const journal = new Journal({
    ...{ files: diskFiles(join(inTheWay, 'journals')), newOwner: () => 'a1', limitBytes: 1000, segmentBytes: 1000, onAppend: () => {} },
    alerts: new AlertSwitch('journal', ({ kind }) => alerts.push(kind)),
  })
  for (let left = 3; left > 0; left--) await expect(journal.append('x')).rejects.toMatchObject({ name: 'StoreUnavailable' })
  rmSync(inTheWay)
  await journal.append('y')
  expect(texts(journal.next())).toEqual(['y'])
  expect(alerts).toEqual(['journal-failing', 'journal-recovered'])
  journal.close()
})

test('a lock that somebody else has put in the place of the one that was opened is not taken for one', () => {
  const folder = temporaryFolder((remove) => onTestFinished(remove))
  const replaced = diskFiles(folder, (path) => {
    const database = new Database(path)
    rmSync(path)
    writeFileSync(path, '')
    return database
  })
  expect(replaced.lock('journal-a.lock')).toBeUndefined()
  expect(diskFiles(folder).lock('journal-a.lock')).toBeDefined()
})

test('a lock that somebody removed before it was held is not taken for one', async () => {
  const folder = temporaryFolder((remove) => onTestFinished(remove))
  const files = diskFiles(folder)
  const lock = files.lock('journal-a.lock')
  expect(files.lock('journal-a.lock')).toBeUndefined()
  lock?.release({ remove: false })
  await nextTurn()
  const [first, second] = [files.lock('journal-a.lock'), files.lock('journal-a.lock')]
  expect([first === undefined, second]).toEqual([false, undefined])
  first?.release({ remove: true })
  expect(readdirSync(folder)).toEqual([])
})
