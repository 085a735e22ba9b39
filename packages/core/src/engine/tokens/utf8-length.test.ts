import fc from 'fast-check'
import { expect, test } from 'vitest'
import { utf8Length } from './estimate-tokens.ts'

test.each([
  ['', 0],
  ['a\x7f', 2],
  ['\x80é\u07ff', 6],
  ['\u0800€\uffff', 9],
  ['😀', 4],
  ['\ud83d', 3],
  ['\ude00\ud83d', 6],
  ['\ud83d\ud83d\ude00\ude00', 10],
])('%j', (text, bytes) => {
  expect(utf8Length(text)).toBe(bytes)
})

test('counts what an encoder writes', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '€', '\uffff', '😀', '\ud83d', '\ude00') })
  fc.assert(fc.property(texts, (text) => utf8Length(text) === new TextEncoder().encode(text).length))
})

test('counts the same in any two pieces', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00') })
  const halves = fc.tuple(texts, texts)
  fc.assert(fc.property(halves, ([a, b]) => utf8Length(a) + utf8Length(b, a.charCodeAt(a.length - 1)) === utf8Length(a + b)))
})
