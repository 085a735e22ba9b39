import type { SourceParser } from '@stickler/core/validators'
import { beforeAll, expect, test } from 'vitest'
import { toml } from './index.ts'

let parse: SourceParser

beforeAll(async () => {
  parse = await toml.load()
})

const told = (source: string) => parse(source).map(({ line, column, message }) => `${line}:${column} ${message}`)

test.each([
  ['tables', '[a]\nb.c = 1\n[a.d]\n[[e]]\nx = 1\n[[e]]\nx = 2'],
  [
    'values',
    `a = "x\\n"\nb = 'c:\\d'\nc = """\nx"""\nd = [1, 2.5, true,\n]\ne = { x = 1, y.z = [] }\nf = 2026-01-01T00:00:00Z\ng = 0xff\nh = inf`,
  ],
  ['large numbers', 'a = 9223372036854775807\nb = 92233720368547758089223372036854775808'],
  ['keys in quotes', '"é x" = 1\n\'y\' = 2 # comment'],
  ['line breaks of Windows', 'a = 1\r\n[b]\r\nc = 2\r\n'],
  ['nothing', ''],
])('%s parse', (_, source) => {
  expect(told(source)).toEqual([])
})

const value = 'as a string in quotes, or as a number, `true`, `false`, a date, `[…]` or `{…}`.'

test.each([
  ['a = 1\na = 2', ['2:1 Define `a` once: it is defined above.']],
  ['[t]\nx = 1\n[t]', ['3:2 Define `t` once: it is defined above.']],
  ['x = 1\na = hello', [`2:5 Write the value \`hello\` ${value}`]],
  ['a =', [`1:4 Write the value ${value}`]],
  ['a = "x', ['1:5 Close this string with the quotes that open it, on the same line.']],
  ['a = [1, 2', ['1:10 Write `,` between the values, or close the bracket.']],
  ['a = 1 b = 2', ['1:7 Start a new line before `b`, or put the whole value in quotes: a line holds one `key = value`.']],
  ['[t\na = 1', ['1:3 Write `key = value` here, or close the name of the table with as many `]` as open it.']],
  ['é = 1', ['1:1 Put the key `é` in quotes: without them it may have letters, digits, `_` and `-`.']],
  ['日 = "😀" # x', ['1:1 Put the key `日` in quotes: without them it may have letters, digits, `_` and `-`.']],
  ['a = 01', ['1:5 Write the number `01` without leading zeros, or as a string.']],
  ['a = "c:\\dir"', ['1:9 Write the backslash as `\\\\`, or put the text in single quotes.']],
  ["a = 'x\n'", ['1:7 Close the string on its line, or put it in three quotes; other control characters are escaped.']],
])('%j', (source, expected) => {
  expect(told(source)).toEqual(expected)
})

test('what is nested too deeply has no verdict', () => {
  expect(() => parse(`a = ${'['.repeat(50_000)}`)).toThrow(RangeError)
  expect(parse('a = 1')).toEqual([])
})
