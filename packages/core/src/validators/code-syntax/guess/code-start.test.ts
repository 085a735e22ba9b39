import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CodeStart } from './code-start.ts'
import { guessLanguage } from './guess-language.ts'

test('the start of a file is the same in pieces', () => {
  const words = fc.constantFrom(
    'x',
    'def f(',
    ')',
    ' ',
    ' = ',
    ':',
    '#',
    '//',
    '\n',
    '\r',
    'for x in y:',
    'The',
    '.',
    'SELECT ',
    'y'.repeat(150),
  )
  fc.assert(
    fc.property(fc.array(words, { maxLength: 12 }), (pieces) => {
      const whole = new CodeStart()
      whole.push(`${pieces.join('')}\n`)
      const cut = new CodeStart()
      for (const char of `${pieces.join('')}\n`) cut.push(char)
      expect(cut.verdict).toBe(whole.verdict)
      if (guessLanguage(pieces.join('')) !== undefined) expect(whole.verdict).toBe('code')
    }),
    { numRuns: 2000 },
  )
})
