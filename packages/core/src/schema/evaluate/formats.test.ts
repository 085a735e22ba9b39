import { fullFormats } from 'ajv-formats/dist/formats.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../../../tools/tests/processor-ms.ts'
import { formats } from './formats.ts'

/** The verdict of ajv-formats. */
function byAjv(name: string, text: string): boolean {
  const format = fullFormats[name as keyof typeof fullFormats] as RegExp | ((text: string) => boolean) | { validate(text: string): boolean }
  if (format instanceof RegExp) return format.test(text)
  return typeof format === 'function' ? format(text) : format.validate(text)
}

/** Pieces that texts of a format are made of, right and wrong. */
const pieces: Readonly<Record<string, readonly string[]>> = {
  date: ['2026', '2024', '1900', '2000', '-', '-', '01', '02', '12', '13', '00', '28', '29', '30', '31', ' ', '1'],
  time: ['00', '23', '24', '59', '60', '61', ':', ':', ':', '.', '5', 'Z', 'z', '+', '-', '01', '0130', '2359', ' '],
  'date-time': ['2026-01-31', '2025-02-29', 'T', 't', ' ', '\n', '13:45:00', '23:59:60', '22:59:60', 'Z', '+01:00', '-01:00', '.5'],
  duration: ['P', 'T', '1', '20', 'Y', 'M', 'D', 'W', 'H', 'S', '.', '-'],
  email: ['a', 'b.c', '.', '@', '@', '-', 'x-y', '+', '%', 'ä', '_', '"', ' ', 'com', '.de', '\n'],
  hostname: ['a', '-', '.', 'x'.repeat(31), 'y'.repeat(63), '_', 'com', 'ä', '0', '\n'],
  ipv4: ['0', '1', '25', '255', '256', '01', '.', '.', '.', ' '],
  ipv6: ['0', 'ffff', '1a', '12345', 'g', ':', ':', ':', '::', '1.2.3.4', '01.2.3.4', '%eth0', '.', '\n'],
  uri: [
    'http',
    ':',
    '/',
    '//',
    'a',
    'u@',
    '[::1]',
    '[1:2:3:4:5:6:1.02.3.4]',
    '[v1.a]',
    '[',
    ']',
    ':80',
    '?',
    '#',
    '%20',
    '%2',
    '"',
    ' ',
    'ä',
    '<',
    '1',
    '+',
  ],
  uuid: ['123e4567', '-', 'e89b', '42d3', 'A456', '426614174000', 'urn:uuid:', 'g'],
  'json-pointer': ['/', 'a', '~', '0', '1', '~0', '~1', '', ' ', '\n'],
  regex: ['a', '(', ')', '[', ']', '*', '+', '{', '1', '}', '\\', 'Z', '(?<n>', '(?i)', '^', '$', '|', '\\p{L}'],
}

describe('formats', () => {
  test.each([...formats.keys()].map(String))('%s has the meaning of ajv-formats', (name) => {
    const { test: accepts } = formats.get(name) as { test(text: string): boolean }
    const known = pieces[name] ?? pieces.uri ?? []
    const text = fc.oneof(
      fc.array(fc.constantFrom(...known), { maxLength: 16 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 12 }),
    )
    fc.assert(
      fc.property(text, (one) => {
        expect(accepts(one)).toBe(byAjv(name, one))
      }),
      { numRuns: 20_000 },
    )
    // Otherwise all texts would be wrong for both.
    const example = /\S+$/.exec(formats.get(name)?.en ?? '')?.[0] ?? ''
    expect([accepts(example), byAjv(name, example)]).toEqual([true, true])
    expect(accepts(`${example} and\nmore[~`)).toBe(false)
  })

  test.each([...formats.keys()].map(String))('%s takes linear time', async (name) => {
    const { test: accepts } = formats.get(name) as { test(text: string): boolean }
    const long = ['1', 'a', '-', ':', '.', '/', 'a.', 'a-', '1:', '::', '~0', '@', 'a@', '%20', '(', '\\', '9Y'].flatMap((one) => [
      one.repeat(200_000),
      `a@${one.repeat(200_000)} `,
      `P${one.repeat(200_000)}`,
      `x://[${one.repeat(200_000)}`,
    ])
    const took = await processorMs(() => {
      for (const one of long) accepts(one)
    })
    expect(took).toBeLessThan(4000)
  })
})
