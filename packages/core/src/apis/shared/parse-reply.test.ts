import fc from 'fast-check'
import { expect, test } from 'vitest'
import { repeatingJson } from '../../../../../attack/oracles/pairs.ts'
import { parseReply, readReply, widestReply } from './parse-reply.ts'

/** The same by a walk over what `JSON.parse` gives, and by its own writing where that has lost something. */
function slowly(given: string): { readonly value: unknown; readonly text: string } | 'refused' {
  const value = JSON.parse(given)
  let count = 0
  let isRefused = false
  const walk = (one: unknown): void => {
    if (typeof one !== 'object' || one === null) return
    if (!Array.isArray(one)) count += Object.keys(one).length
    if (Object.hasOwn(one, '__proto__')) isRefused = true
    for (const inner of Object.values(one)) walk(inner)
  }
  walk(value)
  if (isRefused) return 'refused'
  // No text of the generator has a colon.
  return { value, text: given.split(':').length - 1 > count ? JSON.stringify(value) : given }
}

test('what clients get under a contract is what was read, whatever is hidden in it', () => {
  fc.assert(
    fc.property(repeatingJson, fc.constantFrom('', ' ', '\n'), (json, space) => {
      const given = `${space}${json}${space}`
      const expected = slowly(given)
      if (expected === 'refused') {
        expect(() => readReply(given, true)).toThrow('__proto__')
        return
      }
      expect(readReply(given, true)).toMatchObject(expected)
      expect(readReply(given)).toMatchObject({ value: JSON.parse(given), text: given })
    }),
    { numRuns: 1000 },
  )
})

test.each<[string, string]>([
  ['items', `[${'"",'.repeat(widestReply.items)}""]`],
  ['fields', `{${Array.from({ length: widestReply.fields + 1 }, (_, at) => `"${at}":0`)}}`],
  ['levels', `${'['.repeat(2500)}${']'.repeat(2500)}`],
  ['fields and items', `[${`[${'"",'.repeat(9000)}""],`.repeat(8)}0]`],
])('more %s than any answer has are refused before they are read', (what, text) => {
  for (const read of [parseReply, readReply, (given: string) => readReply(given, true)]) expect(() => read(text)).toThrow(what)
})

test('what is not JSON is nothing', () => {
  for (const text of ['', '{', '{"a":1,"a":', 'a', '"', '{"a":1}}', '\uFEFF{}', '{"a" 1}']) {
    expect(readReply(text, true)).toMatchObject({ value: undefined, text })
  }
})
