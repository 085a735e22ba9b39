import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = wrap(value)
  return value
}

describe('canonicalJson', () => {
  test.each<[string, unknown, string]>([
    ['null', null, 'null'],
    ['booleans', [true, false], '[true,false]'],
    ['numbers', [0, -0, 1.5, -3, 1e21, 1e-7, 2 ** 53], '[0,0,1.5,-3,1e+21,1e-7,9007199254740992]'],
    ['big integers', { seed: 2n ** 64n - 1n, negative: -1n }, '{"negative":-1,"seed":18446744073709551615}'],
    ['empty', [[], {}, ''], '[[],{},""]'],
    ['keys at every depth', { b: [{ d: 1, c: 2 }], a: { z: 1, B: 2 } }, '{"a":{"B":2,"z":1},"b":[{"c":2,"d":1}]}'],
    ['keys by UTF-16 units', { '\uffee': 1, '😀': 2, é: 3, z: 4, '10': 5, '9': 6 }, '{"10":5,"9":6,"z":4,"é":3,"😀":2,"\uffee":1}'],
    ['absent members', { a: undefined, b: 1, c: undefined }, '{"b":1}'],
    ['nothing but absent members', { a: undefined }, '{}'],
    ['absent items', [undefined, 1], '[null,1]'],
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
    ['holes', [, 1], '[null,1]'],
    ['escapes', '"\\\b\f\n\r\t\u0000\u001f/', '"\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f/"'],
    ['separators of lines', { 'a\u2028': '\u2029' }, '{"a\\u2028":"\\u2029"}'],
    ['lone surrogates', ['\ud800', '\udc00x', '😀'], '["\\ud800","\\udc00x","😀"]'],
    [
      'hostile keys',
      JSON.parse('{"__proto__":{"a":1},"constructor":2,"toJSON":3,"":4}'),
      '{"":4,"__proto__":{"a":1},"constructor":2,"toJSON":3}',
    ],
    ['no prototype', Object.assign(Object.create(null), { b: 1, a: 2 }), '{"a":2,"b":1}'],
    ['the same object twice', ((shared) => [shared, { shared }])({ a: 1 }), '[{"a":1},{"shared":{"a":1}}]'],
  ])('%s', (_, value, expected) => {
    expect(canonicalJson(value)).toBe(expected)
  })

  const circle: unknown[] = []
  circle.push({ circle })
  test.each<[string, unknown]>([
    ['NaN', Number.NaN],
    ['Infinity', { a: Number.POSITIVE_INFINITY }],
    ['undefined', undefined],
    ['a function', { a: () => 1 }],
    ['a symbol', [Symbol('a')]],
    ['a map', new Map()],
    ['a date', { a: new Date(0) }],
    ['bytes', new Uint8Array(2)],
    ['a cycle', circle],
  ])('%s is refused', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError)
  })

  test('depth does not matter', () => {
    const levels = 200_000
    expect(canonicalJson(nested(levels, (inner) => [inner]))).toBe(`${'['.repeat(levels)}1${']'.repeat(levels)}`)
    expect(canonicalJson(nested(levels, (a) => ({ a })))).toBe(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
  })

  test('reads back as the value, and is the same for every order of keys', () => {
    const reverse = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reverse)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, member]) => [key, reverse(member)]),
      )
    }
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(reverse(value))).toBe(text)
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
    )
  })
})
