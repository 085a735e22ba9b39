import { describe, expect, it } from 'vitest'
import { createFormat } from './format.ts'

const format = createFormat({ locale: 'en-GB', timeZone: 'UTC' })

describe('numbers and times', () => {
  it.each([
    [0, '< 1 ms'],
    [0.4, '< 1 ms'],
    [12.4, '12 ms'],
    [999.4, '999 ms'],
    [999.6, '1.0 s'],
    [1234, '1.2 s'],
    [59_949, '59.9 s'],
    [59_960, '1 min 0 s'],
    [3_725_000, '62 min 5 s'],
  ])('%d ms are %s', (ms, written) => expect(format.duration(ms)).toBe(written))

  it.each([
    [0, '0'],
    [9999, '9,999'],
    [12_345, '12.3K'],
    [5e9, '5B'],
  ])('%d is %s', (value, written) => expect(format.number(value)).toBe(written))

  it('a count can have all its digits', () => expect(format.whole(50_000)).toBe('50,000'))

  it.each([
    [0, '$0'],
    [0.000351, '$0.00035'],
    [0.015, '$0.015'],
    [0.05, '$0.05'],
    [0.1, '$0.10'],
    [47.4, '$47.40'],
    [12_345, '$12.3K'],
  ])('%d dollars are %s', (usd, written) => expect(format.money(usd)).toBe(written))

  it.each([
    [0, 0, '–'],
    [1, 3, '33.3 %'],
    [3, 3, '100 %'],
  ])('%d of %d is %s', (part, whole, written) => expect(format.share(part, whole)).toBe(written))

  it.each([
    [0, '00:00:00', '1970-01-01T00:00:00.000Z'],
    [1_700_000_000_000, '22:13:20', '2023-11-14T22:13:20.000Z'],
    [Number.NaN, '–', ''],
    [1e300, '–', ''],
  ])('the moment %d is %s', (at, clock, iso) => {
    expect([format.clock(at), format.iso(at)]).toEqual([clock, iso])
    expect(format.day(at)).toContain(clock)
  })

  it.each([
    [{ promptTokens: 1200, completionTokens: 4 }, '1,200 in, 4 out'],
    [{ promptTokens: 1, completionTokens: 2, cost: 0.000123456 }, '1 in, 2 out, cost 0.000123'],
  ])('%j is %s', (usage, written) => expect(format.usage(usage)).toBe(written))
})

describe('places', () => {
  it.each([
    [undefined, undefined, ''],
    [{ start: 0, end: 19 }, undefined, 'characters 0 to 19'],
    [undefined, ['a', 0, 'b'], 'a[0].b'],
    [{ start: 1, end: 2 }, [3], '[3], characters 1 to 2'],
    [undefined, ['\u202egpj', '<b>'], '\\u202egpj.<b>'],
  ])('%j and %j', (span, path, written) => expect(format.place(span, path)).toBe(written))
})

describe('texts', () => {
  it.each([
    ['', ''],
    ['one\n\ttwo', 'one\n\ttwo'],
    ['one\r\ntwo', 'one\ntwo'],
    ['<b>&amp;', '<b>&amp;'],
    ['a\u0000b\u001b[31m', 'a\\u0000b\\u001b[31m'],
    ['admin\u202etxt\u2066', 'admin\\u202etxt\\u2066'],
    ['ü 😀 שלום', 'ü 😀 שלום'],
  ])('%j is shown as %j', (text, shown) => expect(format.visible(text)).toBe(shown))

  it.each([
    ['abc', 3, 'abc', 0],
    ['abcd', 3, 'abc', 1],
    ['ab😀', 3, 'ab', 2],
    ['ab😀c', 4, 'ab😀', 1],
    ['\u202e'.repeat(5), 2, '\\u202e\\u202e', 3],
  ])('%j cut to %d', (text, most, shown, missing) => expect(format.clamp(text, most)).toEqual({ shown, missing }))
})
