import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lockName, ownersOf, segmentName } from './journal.ts'
import { memoryFiles } from './memory-files.ts'
import { linesIn, readLines } from './segment.ts'

function fileWith(content: string | Uint8Array) {
  const file = memoryFiles().create('a')
  file.write(Buffer.from(content), 0)
  return file
}

test('every line comes once, whole, whatever its length', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.integer({ min: 1, max: 600_000 }).map((length) => 'ä'.repeat(length / 2)),
  )
  fc.assert(
    fc.property(
      fc.array(
        line.map((text) => text.replaceAll('\n', '')),
        { maxLength: 8 },
      ),
      fc.string({ maxLength: 5 }),
      (lines, tail) => {
        const rest = tail.replaceAll('\n', '')
        const content = Buffer.from(lines.map((one) => `${one}\n`).join('') + rest)
        const file = fileWith(content)
        const seen: string[] = []
        let torn = false
        for (let from = 0; from < content.length; ) {
          const chunk = readLines(file, from, content.length)
          expect(chunk.end).toBeGreaterThan(from)
          seen.push(...linesIn(chunk.bytes))
          torn = chunk.torn
          from = chunk.end
        }
        expect(seen).toEqual(lines)
        expect(torn).toBe(rest !== '')
      },
    ),
    { numRuns: 30 },
  )
})

test('a file that got shorter than expected ends', () => {
  const read = (content: string) => {
    const { bytes, ...rest } = readLines(fileWith(content), 0, 100)
    return { lines: linesIn(bytes), ...rest }
  }
  expect(read('a\nb')).toEqual({ lines: ['a'], end: 100, torn: true })
  expect(read('')).toEqual({ lines: [], end: 100, torn: false })
})

test('journals are told by their names, files in order', () => {
  const names = [
    segmentName('b', 10),
    segmentName('b', 9),
    lockName('b'),
    lockName('a'),
    'journal-c.lock-journal',
    'state.db',
    'journal-D-1.jsonl',
    '../x',
  ]
  expect([...ownersOf(names)]).toEqual([
    ['b', ['journal-b-9.jsonl', 'journal-b-10.jsonl']],
    ['a', []],
  ])
})
