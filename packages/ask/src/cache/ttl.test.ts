import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseTtl, type TtlError } from './ttl.ts'

describe('parseTtl', () => {
  test.each([
    ['1s', 1],
    ['90s', 90],
    ['5m', 300],
    ['2h', 7200],
    ['1d', 86_400],
    ['05m', 300],
    [`${'0'.repeat(100_000)}7s`, 7],
    ['9007199254740s', 9_007_199_254_740],
    ['104249991d', 9_007_199_222_400],
  ])('%.20s', (literal, seconds) => {
    expect(parseTtl(literal)).toEqual({ seconds })
  })

  test.each<[unknown, TtlError]>([
    ['', 'empty'],
    ['m', 'missing_number'],
    ['never', 'missing_number'],
    ['5', 'missing_unit'],
    ['0', 'missing_unit'],
    ['9'.repeat(100_000), 'missing_unit'],
    ['-5m', 'invalid_number'],
    ['+5m', 'invalid_number'],
    ['.5m', 'invalid_number'],
    ['5.5m', 'invalid_number'],
    ['1_000s', 'invalid_number'],
    [' 5m', 'invalid_number'],
    ['5 m', 'invalid_number'],
    ['\n', 'invalid_number'],
    ['５m', 'invalid_number'],
    ['٥m', 'invalid_number'],
    ['5M', 'unknown_unit'],
    ['5ms', 'unknown_unit'],
    ['5m ', 'unknown_unit'],
    ['5m\n', 'unknown_unit'],
    ['5m30s', 'unknown_unit'],
    ['1e3s', 'unknown_unit'],
    ['0x5s', 'unknown_unit'],
    ['5w', 'unknown_unit'],
    ['5constructor', 'unknown_unit'],
    ['0s', 'zero'],
    ['000d', 'zero'],
    ['9007199254741s', 'overflow'],
    ['104249992d', 'overflow'],
    [`${'9'.repeat(100_000)}s`, 'overflow'],
    [5, 'not_text'],
    [null, 'not_text'],
    [undefined, 'not_text'],
    [['5m'], 'not_text'],
    [new String('5m'), 'not_text'],
  ])('%.20j is refused: %s', (literal, error) => {
    const result = parseTtl(literal)
    expect(result).toMatchObject({ error })
    expect('message' in result && result.message).toMatch(/^[^\n]{10,200}$/)
  })

  test('accepts nothing outside the grammar', () => {
    const literals = fc.string({ unit: fc.constantFrom('0', '7', 's', 'm', 'd', ' ', '-', '.', 'x'), maxLength: 4 })
    fc.assert(
      fc.property(literals, (literal) => {
        expect('seconds' in parseTtl(literal)).toBe(/^[0-9]+[smhd]$/.test(literal) && !/^0+[smhd]$/.test(literal))
      }),
    )
  })
})
