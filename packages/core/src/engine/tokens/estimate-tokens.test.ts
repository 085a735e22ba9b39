import fc from 'fast-check'
import { expect, test } from 'vitest'
import { estimateTokens } from './estimate-tokens.ts'

test.each([
  ['', 0],
  ['a', 1],
  ['abcd', 1],
  ['abcde', 2],
  ['😀', 1],
  ['€€', 2],
  ['漢'.repeat(1000), 750],
  ['\ud800', 1],
  ['x'.repeat(4_000_000), 1_000_000],
])('%.10j', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens)
})

test('more text is never fewer tokens', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'é', '€', '\ud83d', '\ude00') })
  fc.assert(fc.property(texts, texts, (a, b) => estimateTokens(a + b) >= estimateTokens(a)))
})
