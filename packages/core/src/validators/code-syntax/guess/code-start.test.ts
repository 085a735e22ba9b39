import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CodeStart } from './code-start.ts'
import { guessLanguage, mayBeginCode } from './guess-language.ts'

const start = () => new CodeStart((line) => mayBeginCode(line, []))

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
      const whole = start()
      whole.push(`${pieces.join('')}\n`)
      const cut = start()
      for (const char of `${pieces.join('')}\n`) cut.push(char)
      expect(cut.verdict).toBe(whole.verdict)
      if (guessLanguage(pieces.join(''), []) !== undefined) expect(whole.verdict).toBe('code')
    }),
    { numRuns: 2000 },
  )
})
