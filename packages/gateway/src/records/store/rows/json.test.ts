import fc from 'fast-check'
import { expect, test } from 'vitest'
import { json } from './write-json.ts'

const hostile = ['', 'a"b', '\\', '\u0000', '\u007f', '\u2028', 'é', '😀', '\ud800', '\udfff x', 'x'.repeat(200), 'plain-name_1.2']

test('writes what JSON.stringify writes', () => {
  const value = fc.oneof(
    fc.constantFrom(...hostile),
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.double(),
    fc.integer(),
    fc.jsonValue(),
  )
  fc.assert(fc.property(value, (one) => void expect(json(one)).toBe(JSON.stringify(one))))
})

test.each([
  [undefined, 'null'],
  [Number.NaN, 'null'],
  [Number.NEGATIVE_INFINITY, 'null'],
  [-0, '0'],
  [() => 1, 'null'],
  [[], '[]'],
  [true, 'true'],
])('writes %s as %s', (value, expected) => {
  expect(json(value)).toBe(expected)
})

test('refuses what JSON refuses', () => {
  expect(() => json(1n)).toThrow(TypeError)
})
