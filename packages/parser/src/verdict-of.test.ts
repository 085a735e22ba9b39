import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verdictOf } from './verdict-of.ts'

const anyNumber = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.double(), fc.constantFrom(1e9, Number.NaN, Number.POSITIVE_INFINITY, -0.5))
const anyFault = fc.record({ line: anyNumber, column: anyNumber, endLine: anyNumber, endColumn: anyNumber, message: fc.string() })
const anySource = fc
  .array(fc.constantFrom('a', '\n', '\r', '\r\n', '\u2028', '😀', 'xyz'), { maxLength: 12 })
  .map((parts) => parts.join(''))

test('G16: no fault is outside the source, and none ends before it begins', () => {
  fc.assert(
    fc.property(fc.array(anyFault, { minLength: 1, maxLength: 5 }), anySource, (faults, source) => {
      const lines = source.split(/\r\n|\n|\r/)
      const found = verdictOf(faults, source)
      expect(found.verdict).toBe('invalid')
      for (const { line, column, endLine, endColumn } of found.verdict === 'invalid' ? found.trace : []) {
        for (const [row, place] of [
          [line, column],
          [endLine, endColumn],
        ] as const) {
          expect(Number.isInteger(row) && Number.isInteger(place)).toBe(true)
          expect(row >= 1 && row <= lines.length && place >= 1 && place <= (lines[row - 1] ?? '').length + 1).toBe(true)
        }
        expect(line < endLine || (line === endLine && column <= endColumn)).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})

test('faults that are inside stay where they are', () => {
  const fault = { line: 2, column: 3, endLine: 3, endColumn: 1, message: 'Close the block.', suggestion: '}' }
  expect(verdictOf([fault], 'a\nbcd\nef')).toEqual({ verdict: 'invalid', trace: [fault] })
})

test('no faults are a verdict too', () => {
  expect(verdictOf([], 'a')).toEqual({ verdict: 'valid' })
})

test('many faults and long messages are cut', () => {
  const fault = { line: 1, column: 1, endLine: 1, endColumn: 1, message: 'x'.repeat(10_000), suggestion: 'y'.repeat(10_000) }
  const found = verdictOf(
    Array.from({ length: 5000 }, () => fault),
    'a',
  )
  expect(found).toMatchObject({ trace: { length: 200 } })
  expect(JSON.stringify(found).length).toBeLessThan(300_000)
})
