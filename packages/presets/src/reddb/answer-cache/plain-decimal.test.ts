import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainDecimal } from './cache-key.ts'

test.each([
  [0, '0'],
  [-0, '0'],
  [1, '1'],
  [0.5, '0.5'],
  [-1.25, '-1.25'],
  [0.1 + 0.2, '0.30000000000000004'],
  [1e-6, '0.000001'],
  [1e-7, '0.0000001'],
  [-1.5e-7, '-0.00000015'],
  [1e21, '1000000000000000000000'],
  [-1.25e22, '-12500000000000000000000'],
  [Number.NaN, 'NaN'],
  [Number.NEGATIVE_INFINITY, '-Infinity'],
])('%d is %s', (number, expected) => {
  expect(plainDecimal(number)).toBe(expected)
})

test('reads back as the same number, without an exponent', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      expect(plainDecimal(number)).toMatch(/^-?[0-9]+(\.[0-9]+)?$/)
      expect(Number(plainDecimal(number))).toBe(number + 0)
    }),
  )
})
