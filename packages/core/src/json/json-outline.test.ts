import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPairs, repeatingJson, type Slow } from '../../../../attack/oracles/pairs.ts'
import { memberSource } from './edit-json.ts'
import { excessOf } from './json-extent.ts'
import { outlineOf } from './json-outline.ts'

/** The names of the members of the outermost object, as the outline finds them. */
function namesIn(text: string): readonly string[] | undefined {
  const outline = outlineOf(text)
  return outline?.names.flatMap((at, index) => (index % 2 === 0 ? [text.slice(at + 1, outline.names[index + 1])] : []))
}

test.each<[string, readonly string[] | undefined]>([
  ['{"a":1,"b":{"a":[{"a":"b"}]},"c":"}\\\\"}', ['a', 'b', 'c']],
  [' \n{ "a"\t: "\\"b\\":" , "" :1}\r', ['a', '']],
  ['{}', []],
  ['[{"a":1},{"a":2}]', []],
  ['"a"', []],
  [`{"long":"${'word \\"and\\" '.repeat(50)}","after":2}`, ['long', 'after']],
  ['{"a":1,"a":1}', undefined],
  ['{"x":[{"b":1,"c":{},"b":1}]}', undefined],
  ['{"\\u0061":1}', undefined],
  ['{"x":{"__proto__":1}}', undefined],
  ['{"x":"__proto__","__proto":1,"_":2}', ['x', '__proto', '_']],
  [`${'['.repeat(32)}${']'.repeat(32)}`, undefined],
  [`{${Array.from({ length: 65 }, (_, at) => `"k${at}":0`)}}`, undefined],
  ['}', undefined],
])('%s', (text, names) => {
  expect(namesIn(text)).toEqual(names)
})

/** Whether some object has a name twice, or one that reaches prototypes. */
function isOdd(value: Slow): boolean {
  if (typeof value === 'string') return false
  if (!('pairs' in value)) return value.some(isOdd)
  const names = value.pairs.map(([name]) => name)
  return new Set(names).size < names.length || names.includes('__proto__') || value.pairs.some(([, inner]) => isOdd(inner))
}

test('agrees with a reader that keeps every pair, and finds each member', () => {
  fc.assert(
    fc.property(repeatingJson, (text) => {
      const names = namesIn(text)
      const hasEscape = /\\u0061"\s*:/.test(text)
      expect(names === undefined).toBe(hasEscape || isOdd(readPairs(text)))
      if (names === undefined) return
      for (const name of names) expect(memberSource(text, name)).toBeDefined()
      if (text.startsWith('{')) expect(names).toEqual(Object.keys(JSON.parse(text)))
      expect(outlineOf(text)?.close).toBe(text.startsWith('{') || text.startsWith('[') ? text.length - 1 : 0)
    }),
    { numRuns: 1000 },
  )
})

test('no text has more of anything than its outline has outside of strings, JSON or not', () => {
  const piece = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '"a"', '"b":', '1', ' ', '\\', '"\\""', '"logprobs":', '[[', '{"x":[')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('')
      const outside = outlineOf(text)?.outside
      if (outside === undefined) return
      // A string that is not closed is the one thing that may not be counted.
      const most = outside + 1
      expect(excessOf(text, { depth: most, fields: most, items: most, values: most, everything: most })).toBeUndefined()
    }),
    { numRuns: 2000 },
  )
})
