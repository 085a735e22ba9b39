import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from '../../json/parse-json.ts'
import { readJson } from './read-json.ts'
import { startsPlainList, valueStart } from './value-start.ts'

const anything = fc.string({
  unit: fc.constantFrom(...`{}[]"'“”:,.-+0123eEtrufalsn \n\t\r\u00a0\\x`, 'true', 'null', '"a"'),
  maxLength: 12,
})

test('a part of a text is JSON where the parser says so, whatever its first letters', () => {
  fc.assert(
    fc.property(anything, fc.oneof(anything, fc.json({ maxDepth: 2 })), anything, (before, given, behind) => {
      const found = readJson(before + given + behind, { start: before.length, end: before.length + given.length })
      expect(found?.value).toEqual(parseJson(given))
    }),
    { numRuns: 5000 },
  )
})

test('a list that shows at once that it begins no value is none when it is read', () => {
  fc.assert(
    fc.property(anything, (given) => {
      const text = `[${given}`
      if (startsPlainList(text, 0)) expect(valueStart(text, 0)).toEqual({ kind: 'none', hasBareKey: false, next: 1 })
    }),
    { numRuns: 2000 },
  )
})
