import { describe, expect, test } from 'vitest'
import type { Entry } from '../rows/table-rows.ts'
import { AlertSwitch } from '../store-alert.ts'
import { Journal } from './journal.ts'
import { memoryFiles } from './memory-files.ts'

const entry = (number: number): Entry => ({ kind: 'audit', row: [String(number), number, '{}'] })

function newJournal(options: { readonly segmentBytes?: number } = {}) {
  const files = memoryFiles()
  let reads = 0
  const counting = {
    ...files,
    create(name: string) {
      const file = files.create(name)
      return {
        ...file,
        read(into: Uint8Array, position: number) {
          reads++
          return file.read(into, position)
        },
      }
    },
  }
  const alerts = new AlertSwitch('journal', () => {})
  const journal = new Journal({
    ...{ files: counting, newOwner: () => 'a1', limitBytes: 1e9, segmentBytes: 1e9, alerts, onAppend: () => {} },
    ...options,
  })
  return { journal, reads: () => reads }
}

function readAll(journal: Journal) {
  const lines: string[] = []
  const entries: (Entry | undefined)[] = []
  for (let chunk = journal.next(); chunk; chunk = journal.next()) {
    lines.push(...chunk.lines)
    entries.push(...(chunk.entries ?? chunk.lines.map(() => undefined)))
    chunk.done()
  }
  return { lines, entries }
}

describe('lines that were written just now', () => {
  test('are not read from the file', async () => {
    const { journal, reads } = newJournal()
    for (let number = 0; number < 3; number++) {
      await Promise.all([journal.append(`a${number} ä😀`, entry(number)), journal.append(`b${number}`)])
    }
    const { lines, entries } = readAll(journal)
    expect(lines).toEqual(['a0 ä😀', 'b0', 'a1 ä😀', 'b1', 'a2 ä😀', 'b2'])
    expect(entries).toEqual([entry(0), undefined, entry(1), undefined, entry(2), undefined])
    expect(reads()).toBe(0)
    expect([journal.bytes, journal.unread]).toEqual([0, 0])
  })

  test('are known again after the file was emptied, and over several files', async () => {
    const { journal, reads } = newJournal({ segmentBytes: 20 })
    for (let round = 0; round < 3; round++) {
      for (let number = 0; number < 9; number++) await journal.append(`${round} line ${number}`, entry(number))
      expect(readAll(journal).entries).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8].map(entry))
    }
    expect(reads()).toBe(0)
  })

  test('come from the file where they were too many, each once and in their order', async () => {
    const { journal, reads } = newJournal()
    const long = 'x'.repeat(1_000_000)
    for (let number = 0; number < 10; number++) await journal.append(`${number}${long}`, entry(number))
    const { lines, entries } = readAll(journal)
    expect(lines.map((line) => line.slice(0, 2))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${number}x`))
    expect(entries.slice(0, 6)).toEqual(Array(6).fill(undefined))
    expect(entries.at(-1)).toEqual(entry(9))
    expect(reads()).toBeGreaterThan(0)
  })

  test('may be asked for again until they are done', async () => {
    const { journal } = newJournal()
    await journal.append('a', entry(1))
    expect(journal.next()?.entries).toEqual([entry(1)])
    const chunk = journal.next()
    await journal.append('b', entry(2))
    expect(chunk?.lines).toEqual(['a'])
    chunk?.done()
    expect(journal.next()?.entries).toEqual([entry(2)])
  })
})
