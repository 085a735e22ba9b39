import { describe, expect, it, test } from 'vitest'
import { LineIndex } from '../line-index.ts'
import { excerpt } from './excerpt.ts'

const show = (text: string, start: number, end: number) => excerpt(text, new LineIndex(text), { start, end })

describe('excerpt', () => {
  const cases: readonly (readonly [what: string, text: string, start: number, end: number, line: string, mark: string])[] = [
    ['a word', 'one two three', 4, 7, 'one two three', '    ^^^'],
    ['a word of a later line', 'a\r\nb\rc\nsome word', 12, 16, 'some word', '     ^^^^'],
    ['the end of the text', 'one', 3, 3, 'one', '   ^'],
    ['an empty text', '', 0, 0, '', '^'],
    ['an empty span', 'one two', 4, 4, 'one two', '    ^'],
    ['an empty span behind a tab', 'a\tbc', 2, 2, 'a   bc', '    ^'],
    ['a line break', 'one\ntwo', 3, 4, 'one', '   ^'],
    ['several lines', 'one\ntwo\nthree', 1, 9, 'one', ' ^^ … to line 3'],
    ['a tab before', 'a\tb', 2, 3, 'a   b', '    ^'],
    ['a control character before', '\u001b[31mX', 5, 6, '\\x1b[31mX', '        ^'],
    ['wide characters', '世界 ok', 3, 5, '世界 ok', '     ^^'],
    ['an emoji', '👍 ok', 0, 2, '👍 ok', '^^'],
    ['a combining mark', 'e\u0301x', 2, 3, 'e\u0301x', ' ^'],
    ['a lone surrogate', '\ud800x', 1, 2, '\\ud800x', '      ^'],
    ['a span behind the text', 'one', 50, 60, 'one', '   ^'],
    ['a span that makes no sense', 'one', Number.NaN, -3, 'one', '^'],
  ]
  test.each(cases)('%s', (_, text, start, end, line, mark) => {
    expect(show(text, start, end)).toEqual([line, mark])
  })
  it('clips a long line around the span', () => {
    const text = `${'a'.repeat(1_000_000)}HERE${'b'.repeat(1_000_000)}`
    const [line, mark] = show(text, 1_000_000, 1_000_004)
    expect(line).toMatch(/^…a{30}HEREb+…$/)
    expect(line.length).toBeLessThan(110)
    expect(line.slice(mark.indexOf('^'), mark.lastIndexOf('^') + 1)).toBe('HERE')
  })
  it('does not cut a character in two', () => {
    const text = `${'😀'.repeat(200)}HERE`
    expect(show(text, 400, 404)[0]).not.toMatch(/\\ud/)
  })
})

test('lines are found as everywhere else', () => {
  const lines = new LineIndex('a\r\nb\rc\n\nd')
  expect([0, 1, 3, 5, 7, 8].map((offset) => lines.positionAt(offset))).toEqual([
    { line: 1, column: 1 },
    { line: 1, column: 2 },
    { line: 2, column: 1 },
    { line: 3, column: 1 },
    { line: 4, column: 1 },
    { line: 5, column: 1 },
  ])
  expect([1, 2, 3, 4, 5].map((line) => lines.spanOf(line))).toEqual([
    { start: 0, end: 1 },
    { start: 3, end: 4 },
    { start: 5, end: 6 },
    { start: 7, end: 7 },
    { start: 8, end: 9 },
  ])
})
