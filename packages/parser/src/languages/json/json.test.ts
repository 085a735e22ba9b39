import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findFaults } from './find-faults.ts'
import { json, jsonc } from './index.ts'

const parses = (source: string): boolean => {
  try {
    JSON.parse(source)
    return true
  } catch {
    return false
  }
}

const lines = (source: string) => findFaults(source).map(({ line, column, message }) => `${line}:${column} ${message}`)

describe('JSON', () => {
  test.each([
    ['{"a": 1,}', ['1:8 Remove the comma before `}`.']],
    ['{a: 1}', ['1:2 Put the key `a` in double quotes.']],
    ["{'a': 1}", ['1:2 Put the key in straight double quotes (`"`).']],
    ['{“a”: 1}', ['1:2 Put the key in straight double quotes (`"`).']],
    ['{"a": 1 "b": 2}', ['1:9 Write `,` before this.']],
    ['[\n  1,\n  2', ['3:4 Close the `[` opened on line 1 with `]`.']],
    ['{"a": True, "b": None}', ['1:7 Write `true` for `True`.', '1:18 Write `null` for `None`.']],
    ['{"a": 1} // done', ['1:10 Remove the comment: JSON has none.']],
    ['Here is JSON: {"a": 1}', ['1:1 Remove the text before the JSON value.']],
    ['{"a": ...}', ['1:7 Replace the `...` with the real content: JSON has no placeholders.']],
    ['{"a": 01}', ['1:7 Write the number without leading zeros.']],
    ['{"a": [1, 2}', ['1:12 Close the `[` opened on line 1 with `]`, not with `}`.', '1:13 Close the `{` opened on line 1 with `}`.']],
    ['{"a": "b"c"}', ['1:9 Write a double quote inside a string as \\".']],
    ['{"a": "b\\d"}', ['1:9 Write two backslashes for this one: JSON does not have this escape.']],
    ['{"a": "x\ny"}', ['1:7 Close the string with a double quote on its line; write a line break in it as `\\n`.']],
    ['\ufeff{}', ['1:1 Remove the byte order mark: JSON does not allow one.']],
    ['', ['1:1 Write a JSON value.']],
    ['{"日本": 1,\r\n "é": x}', ['2:7 Put the text `x` in double quotes, or write a JSON value.']],
  ])('%j', (source, expected) => {
    expect(lines(source)).toEqual(expected)
  })

  test('has faults exactly where JSON.parse fails', () => {
    const pieces = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"a"',
        '"',
        '\\',
        '1',
        '-',
        '0',
        '.5',
        'e9',
        'true',
        'null',
        ' ',
        '\n',
        '\t',
        "'",
        '//',
        '/*',
        '*/',
        'x',
        '\u0000',
        '\ud800',
        '…',
      ],
    )
    const soup = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''))
    const damaged = fc.tuple(fc.json(), fc.nat(), pieces, fc.nat(2)).map(([text, at, piece, cut]) => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + piece + text.slice(place + cut)
    })
    fc.assert(
      fc.property(fc.oneof(soup, damaged, fc.json()), (source) => {
        expect(findFaults(source).length === 0).toBe(parses(source))
      }),
      { numRuns: 2000 },
    )
  })

  test('reads deep and long sources without a stack', async () => {
    const parse = await json.load()
    expect(parse('['.repeat(200_000))[0]?.message).toBe('Close the `[` opened on line 1 with `]`.')
    expect(parse(`[${'"a" '.repeat(50_000)}]`)).toHaveLength(20)
    expect(parse(`${'1'.repeat(5000)}`)).toEqual([])
    expect(findFaults('1'.repeat(5000))).toEqual([])
  })
})

test('JSON with comments allows comments and trailing commas, and nothing else', async () => {
  const parse = await jsonc.load()
  expect(parse('// settings\n{ "a": [1, 2,], /* b */ }')).toEqual([])
  expect(parse("{ 'a': 1 }")).toHaveLength(1)
  expect(parse('{ "a": 1 /* }')).toMatchObject([{ line: 1, column: 10 }])
})
