import { describe, expect, it, test } from 'vitest'
import { printable, printableLines, safeJson } from './printable.ts'

const hostile: readonly (readonly [what: string, text: string, shown: string])[] = [
  ['plain words', 'Grüße, 世界 👩‍💻', 'Grüße, 世界 👩‍💻'],
  ['a colour', '\u001b[31mred', '\\x1b[31mred'],
  ['a clipboard write (OSC 52)', '\u001b]52;c;aGk=\u0007', '\\x1b]52;c;aGk=\\x07'],
  ['a C1 control sequence', '\u009b31m', '\\x9b31m'],
  ['line breaks', 'a\r\nb\nc\u2028d', 'a\\r\\nb\\nc\\u2028d'],
  ['a tab', 'a\tb', 'a\\tb'],
  ['NUL and DEL', '\u0000\u007f', '\\x00\\x7f'],
  ['bidi overrides', 'a\u202eb\u2066c\u200fd', 'a\\u202eb\\u2066c\\u200fd'],
  ['invisible tags', 'a\u{e0041}b', 'a\\u{e0041}b'],
  ['a byte order mark', '\ufeffx', '\\ufeffx'],
  ['lone surrogates', 'a\ud800b\udc00', 'a\\ud800b\\udc00'],
]

describe('printable', () => {
  test.each(hostile)('%s', (_, text, shown) => expect(printable(text)).toBe(shown))
  it('keeps the line breaks and tabs of longer texts', () => {
    expect(printableLines('a\n\tb\r\u001b')).toBe('a\n\tb\\r\\x1b')
  })
})

describe('safeJson', () => {
  test.each(hostile)('%s', (_, text) => {
    const json = safeJson({ text })
    expect(JSON.parse(json)).toEqual({ text })
    expect(json).not.toMatch(/(?!\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
  })
})
