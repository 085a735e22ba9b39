import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPairs, repeatingJson, type Slow } from '../../../../attack/oracles/pairs.ts'
import { excessOf } from './json-extent.ts'
import { ordinarySize } from './ordinary-size.ts'

test.each<[string, number | undefined]>([
  ['{"a":1,"b":{"a":[{"a":"b"}]},"c":"}\\\\"}', 23],
  [' \n{ "a"\t: "\\"b\\":" , "" :1}\r', 18],
  ['{}', 2],
  ['[{"a":1},{"a":2}]', 13],
  ['"a"', 1],
  ['{"a":1,"a":1}', undefined],
  ['{"x":[{"b":1,"c":{},"b":1}]}', undefined],
  ['{"\\u0061":1}', undefined],
  ['{"x":{"__proto__":1}}', undefined],
  ['{"x":"__proto__","__proto":1,"_":2}', 13],
  [`${'['.repeat(32)}${']'.repeat(32)}`, undefined],
  [`{${Array.from({ length: 65 }, (_, at) => `"k${at}":0`)}}`, undefined],
  ['}', undefined],
])('%s', (text, size) => {
  expect(ordinarySize(text)).toBe(size)
})

/** Whether some object has a name twice, or one that reaches prototypes. */
function isOdd(value: Slow): boolean {
  if (typeof value === 'string') return false
  if (!('pairs' in value)) return value.some(isOdd)
  const names = value.pairs.map(([name]) => name)
  return new Set(names).size < names.length || names.includes('__proto__') || value.pairs.some(([, inner]) => isOdd(inner))
}

test('agrees with a reader that keeps every pair', () => {
  fc.assert(
    fc.property(repeatingJson, (text) => {
      const hasEscape = /\\u0061"\s*:/.test(text)
      expect(ordinarySize(text) === undefined).toBe(hasEscape || isOdd(readPairs(text)))
    }),
    { numRuns: 1000 },
  )
})

test('no text has more of anything than it has outside of strings, JSON or not', () => {
  const piece = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '"a"', '"b":', '1', ' ', '\\', '"\\""', '"logprobs":', '[[', '{"x":[')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('')
      const outside = ordinarySize(text)
      if (outside === undefined) return
      // A string that is not closed is the one thing that may not be counted.
      const most = outside + 1
      expect(excessOf(text, { depth: most, fields: most, items: most, values: most, everything: most })).toBeUndefined()
    }),
    { numRuns: 2000 },
  )
})
