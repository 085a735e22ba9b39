import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatJson } from './format-json.ts'

test('every value of JSON has its line, as JSON.stringify writes it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(formatJson(JSON.stringify(value))).toBe(JSON.stringify(value, undefined, 2))
    }),
  )
})

test('nothing that was written is lost', () => {
  expect(formatJson('{"a":1.0, "a" : 12345678901234567890,"b":"\\u0041"}')).toBe(
    '{\n  "a": 1.0,\n  "a": 12345678901234567890,\n  "b": "\\u0041"\n}',
  )
})

test('other text is not formatted', () => {
  for (const text of ['', '{', '{"a": }', 'call me', "{'a': 1}"]) expect(formatJson(text)).toBeUndefined()
})

test('time and size are linear in a text that is nested deeply', () => {
  const text = '['.repeat(5000) + ']'.repeat(5000)
  expect(formatJson(text)?.length).toBeLessThan(100 * text.length)
})
