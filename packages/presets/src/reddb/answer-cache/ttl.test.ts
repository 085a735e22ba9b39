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
    ['-5m', 'missing_number'],
    ['+5m', 'missing_number'],
    ['.5m', 'missing_number'],
    ['5.5m', 'unknown_unit'],
    ['1_000s', 'unknown_unit'],
    [' 5m', 'missing_number'],
    ['5 m', 'unknown_unit'],
    ['\n', 'missing_number'],
    ['５m', 'missing_number'],
    ['٥m', 'missing_number'],
    ['5M', 'unknown_unit'],
    ['5ms', 'unknown_unit'],
    ['5m ', 'unknown_unit'],
    ['5m\n', 'unknown_unit'],
    ['5m30s', 'unknown_unit'],
    ['1e3s', 'unknown_unit'],
    ['5w', 'unknown_unit'],
    ['5constructor', 'unknown_unit'],
    ['0s', 'zero'],
    ['000d', 'zero'],
    ['0x5s', 'zero'],
    ['0 m', 'zero'],
    ['9007199254741s', 'overflow'],
    ['104249992d', 'overflow'],
    ['18446744073709551615s', 'overflow'],
    ['018446744073709551615w', 'unknown_unit'],
    ['18446744073709551616w', 'invalid_number'],
    [`${'9'.repeat(100_000)}s`, 'invalid_number'],
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

  test('reports what RedDB reports, except that its longest time is longer', () => {
    const literals = fc.oneof(
      fc.string({ unit: fc.constantFrom('0', '7', 's', 'm', 'd', 'M', ' ', '-', '+', '.', 'x', '５', '\n', '😀'), maxLength: 4 }),
      fc
        .tuple(fc.bigInt({ min: 0n, max: 2n ** 66n }), fc.constantFrom('s', 'm', 'h', 'd', 'w', ''))
        .map(([count, unit]) => `${count}${unit}`),
    )
    fc.assert(
      fc.property(literals, (literal) => {
        const theirs = parseAsReddb(literal)
        const expected = typeof theirs === 'bigint' ? (theirs > 9_007_199_254_740n ? 'overflow' : Number(theirs)) : theirs
        const ours = parseTtl(literal)
        expect('seconds' in ours ? ours.seconds : ours.error).toBe(expected)
      }),
    )
  })
})

/** The rules of RedDB's `parse_ttl`, byte by byte, with the arithmetic of unsigned 64-bit integers. */
function parseAsReddb(literal: string): bigint | TtlError {
  const bytes = [...new TextEncoder().encode(literal)]
  if (bytes.length === 0) return 'empty'
  const at = bytes.findIndex((byte) => byte < 0x30 || byte > 0x39)
  if (at === -1) return 'missing_unit'
  if (at === 0) return 'missing_number'
  let count = 0n
  for (const digit of bytes.slice(0, at)) {
    count = count * 10n + BigInt(digit - 0x30)
    if (count >= 2n ** 64n) return 'invalid_number'
  }
  if (count === 0n) return 'zero'
  const factor = ({ '115': 1n, '109': 60n, '104': 3600n, '100': 86_400n } as Record<string, bigint>)[bytes.slice(at).join()]
  if (factor === undefined) return 'unknown_unit'
  return count * factor < 2n ** 64n ? count * factor : 'overflow'
}
