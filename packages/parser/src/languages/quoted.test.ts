import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quoted } from './quoted.ts'

test.each([
  ['x', '`x`'],
  ['(', '`(`'],
  ['"a"', '`"a"`'],
  ['\\d', '`\\d`'],
  ['a\nb', '`a\\nb`'],
  ['a`b', '"a`b"'],
  ['', '``'],
])('%j is shown as %s', (code, shown) => {
  expect(quoted(code)).toBe(shown)
})

test('code in a message is one bounded line that it cannot leave', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '`', '"', '\\', '\n', '\u001b', '(', '😀'), maxLength: 120 }), (code) => {
      const shown = quoted(code)
      expect(shown).toMatch(/^(?:`[^`\n]*`|"(?:[^"\\\n]|\\.)*")$/)
      expect(shown.length).toBeLessThan(600)
    }),
  )
})
