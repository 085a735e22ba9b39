import { describe, expect, test } from 'vitest'
import { parseCitations } from './parse.ts'

const fence = '```'
const details = (text: string, sources = 9): string[] =>
  parseCitations(text, sources).warnings.map(({ kind, detail }) => `${kind}: ${detail}`)
const markers = (text: string, sources = 9): number[] => parseCitations(text, sources).citations.map(({ marker }) => marker)

describe('citations', () => {
  test.each([
    ['one', 'Pricing[^1].', [1]],
    ['several, again and again', 'a[^1] b[^1] c[^2]', [1, 1, 2]],
    ['the largest', 'see [^4294967295]', [4294967295]],
    ['a definition', '[^1]: the source', [1]],
    ['nested in brackets', '[[^1]]', [1]],
    ['a link', '[^1](https://example.org)', [1]],
    ['escaped', 'literal \\[^1] in text', []],
    ['an escaped back-slash', 'path\\\\[^1]', [1]],
    ['three back-slashes', '\\\\\\[^1]', []],
    ['unterminated', 'a [^12', []],
    ['broken by a newline', 'a [^1\n2] b [^\n1\n]', []],
    ['broken by CRLF', 'a [^12\r\n]', []],
    ['in inline code', '`[^1]`', [1]],
    ['in a fence', `a[^1]\n${fence}\n[^2]\n${fence}\nb[^3]`, [1, 3]],
    ['on the lines of a fence', `${fence}js [^1]\n${fence} [^2]\n[^3]`, [3]],
    ['in an indented fence', `\t  ${fence}\n[^1]\n  ${fence}\n[^2]`, [2]],
    ['in an unclosed fence', `[^1]\n${fence}\n[^2]\n[^3]`, [1]],
    ['a longer fence is one too', `${fence}${fence}\n[^1]\n${fence}\n[^2]`, [2]],
    ['tildes are no fence', '~~~\n[^1]\n~~~', [1]],
    ['two back-ticks are no fence', '``\n[^1]', [1]],
    ['back-ticks behind text are no fence', `a ${fence}\n[^1]`, [1]],
    ['CRLF fences', `${fence}\r\n[^1]\r\n${fence}\r\n[^2]\r\n`, [2]],
    ['a lone carriage return ends no line', `a\r${fence}\r[^1]`, [1]],
    ['other scripts around', '感谢[^1]谢谢', [1]],
    ['reasoning counts', '<think>[^1]</think>', [1]],
    ['behind a body that is too long', '[^aaaaaaaaaaaaaaaaa [^1]', [1]],
    ['behind an open bracket', '[^12 and more and more [^3]', [3]],
    ['nothing', '', []],
  ])('%s', (_name, text, expected) => {
    expect(markers(text)).toEqual(expected)
  })

  test('carry number, span and index', () => {
    expect(parseCitations('see [^5] and [^1]', 2)).toEqual({
      citations: [
        { marker: 5, span: { start: 4, end: 8 }, sourceIndex: 4 },
        { marker: 1, span: { start: 13, end: 17 }, sourceIndex: 0 },
      ],
      warnings: [
        { kind: 'out_of_range', span: { start: 4, end: 8 }, detail: 'marker [^5] references source #5 but only 2 sources available' },
      ],
    })
  })
})

describe('warnings', () => {
  test.each([
    ['[^]', 'malformed: empty marker body'],
    ['[^01]', 'malformed: marker must be a positive integer with no leading zero, got `01`'],
    ['[^0]', 'malformed: marker must be a positive integer with no leading zero, got `0`'],
    ['[^4294967296]', 'malformed: marker value `4294967296` exceeds u32::MAX'],
    [`[^${'9'.repeat(40)}]`, `malformed: marker value \`${'9'.repeat(40)}\` exceeds u32::MAX`],
    ['[^abc]', 'malformed: expected digits inside [^…], got `abc`'],
    ['[^-1]', 'malformed: expected digits inside [^…], got `-1`'],
    ['[^1 ]', 'malformed: expected digits inside [^…], got `1 `'],
    ['[^١]', 'malformed: expected digits inside [^…], got `١`'],
    ['[^1\u200b]', 'malformed: expected digits inside [^…], got `1\u200b`'],
    ['[^\n]', 'malformed: expected digits inside [^…], got `\n`'],
    ['[^\n1]', 'malformed: expected digits inside [^…], got `\n1`'],
    ['[^\n```]\n', 'malformed: expected digits inside [^…], got `\n```'.concat('`')],
    ['[^[^1]]', 'malformed: expected digits inside [^…], got `[^1`'],
    ['[^1\\]', 'malformed: expected digits inside [^…], got `1\\`'],
    ['[^aaaaaaaaaaaaaaaa]', 'malformed: expected digits inside [^…], got `aaaaaaaaaaaaaaaa`'],
    ['[^👍👍👍👍]', 'malformed: expected digits inside [^…], got `👍👍👍👍`'],
    ['[^10]', 'out_of_range: marker [^10] references source #10 but only 9 sources available'],
  ])('%s', (text, expected) => {
    expect(details(text)).toEqual([expected])
  })

  test.each([
    ['seventeen bytes', '[^aaaaaaaaaaaaaaaaa]'],
    ['seventeen bytes of others', '[^👍👍👍👍a]'],
    ['a line break in between', '[^ab\ncd]'],
    ['two line breaks', '[^\n\n]'],
    ['a line break and sixteen more bytes', `[^\n${'a'.repeat(16)}]`],
    ['seventeen digits and a letter', `[^${'1'.repeat(17)}a]`],
    ['fullwidth brackets', '［^1］'],
  ])('none for %s', (_name, text) => {
    expect(parseCitations(text, 0)).toEqual({ citations: [], warnings: [] })
  })

  test('one source is not spoken of otherwise', () => {
    expect(details('[^2]', 1)).toEqual(['out_of_range: marker [^2] references source #2 but only 1 sources available'])
    expect(details('[^1]', 0)).toEqual(['out_of_range: marker [^1] references source #1 but only 0 sources available'])
  })
})

describe('a megabyte', { timeout: 20_000 }, () => {
  test.each(['1', '[^', '[^1', '[^a', '`', '\\', '[^1]', `\n${fence}`, '[^1\n'])('of %j', (unit) => {
    const text = unit.repeat(Math.floor(1_000_000 / unit.length))
    expect(parseCitations(text, 0).citations).toHaveLength(unit === '[^1]' ? 250_000 : 0)
    expect(parseCitations(`[^${text}`, 1).warnings.length).toBeLessThanOrEqual(250_000)
  })
})
