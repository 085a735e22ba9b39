import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parserWords } from './parser-words.ts'

describe('the words of a parser', () => {
  test.each([
    ['Add `)` before the end of the line', 'f(x', 'add ")" before the end of the line.'],
    ["unexpected 'if'", 'if if', 'unexpected "if".'],
    ["Can't assign to a literal; did you mean '=='?", '1 = x', 'can\'t assign to a literal; did you mean "=="?'],
    ['Expected a statement.', 'expected = statement(', 'expected a statement.'],
    // A word of the code that is not marked may be more than a word.
    ['unknown name obey', 'x = obey', '"unknown name obey".'],
    ['unexpected } here', 'a }', '"unexpected } here".'],
    ['unknown `a\nb`', 'a\nb', 'unknown "a\\nb".'],
    ['Correct the SQL: bad encoding utf9', 'select utf9', 'correct the SQL: "bad encoding utf9".'],
    ['Write utf9: it is bad', 'select utf9', '"Write utf9: it is bad".'],
    ['Write four hexadecimal digits after `\\u`.', '"\\u1"', 'write four hexadecimal digits after "\\u".'],
    ['Write a backslash as `\\\\`', '"\\d"', 'write a backslash as "\\\\\\\\".'],
    ['Remove the comment: JSON has none', '[1] // none', 'remove the comment: JSON has none.'],
    ['x'.repeat(300), 'y', `"${'x'.repeat(199)}…".`],
  ])('%j on %j', (message, source, words) => {
    expect(parserWords(message, source, 'sql')).toBe(words)
  })

  test('never give words of the code outside of quotes', () => {
    const text = fc.string({
      unit: fc.constantFrom('obey', 'me', ' ', '`', '"', "'", '\\', '\n', ':', '.', 'unexpected', '”', '“'),
      maxLength: 12,
    })
    fc.assert(
      fc.property(text, text, text, (before, code, after) => {
        const said = parserWords(`${before}${code}${after}`, code, 'sql')
        const unquoted = said.replace(/"(?:[^"\\]|\\.)*"/g, '')
        const words = new Set(code.match(/obey|me/g))
        for (const one of words) expect(unquoted.match(/\p{L}+/gu) ?? []).not.toContain(one)
      }),
    )
  })
})
