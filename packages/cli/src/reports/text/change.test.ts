import { describe, expect, it, test } from 'vitest'
import { plain } from '../../terminal/paint.ts'
import { describeChange, describeRepairs } from './describe-repairs.ts'

const change = (text: string, start: number, end: number, after: string) =>
  describeChange(text, { span: { start, end }, before: text.slice(start, end), after })

describe('describeChange', () => {
  const cases: readonly (readonly [what: string, lines: readonly string[], expected: readonly string[]])[] = [
    ['a word in its line', change('a bad word\nnext', 2, 5, 'good'), ['- a bad word', '+ a good word']],
    ['an addition behind a line without a break', change('text', 4, 4, '\n\nmark'), ['+', '+ mark']],
    ['an addition behind a line break', change('text\n', 5, 5, '\nmark'), ['+ mark']],
    ['lines that are taken away', change('a\nb\nc\n', 2, 4, ''), ['- b']],
    ['CRLF', change('a\r\nbad\r\nc', 3, 6, 'good'), ['- bad', '+ good']],
    ['control characters', change('\u001b[2J bad', 5, 8, 'go\u202eod'), ['- \\x1b[2J bad', '+ \\x1b[2J go\\u202eod']],
    ['nothing', change('same', 0, 4, 'same'), []],
    [
      'a text that is not at hand',
      describeChange('other', { span: { start: 90, end: 93 }, before: 'bad', after: 'good' }),
      ['- bad', '+ good'],
    ],
  ]
  test.each(cases)('%s', (_, lines, expected) => expect(lines).toEqual(expected))
  it('stays small', () => {
    const lines = change('x'.repeat(1_000_000), 500_000, 500_001, 'a\n'.repeat(100_000))
    expect(lines.length).toBeLessThan(20)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(200)
    expect(lines).toContainEqual(expect.stringMatching(/^\+ … \d+ more lines$/))
  })
})

test('changes of one line are shown as what the line becomes', () => {
  const text = "{'a':1,'b':\n'x'}"
  const quote = (start: number) => ({
    rule: 'quotes',
    class: 'lossless' as const,
    span: { start, end: start + 1 },
    before: "'",
    after: '"',
  })
  const repairs = [...text.matchAll(/'/g)].map(({ index }) => quote(index))
  const shown = ["- {'a':1,'b':", '+ {"a":1,"b":', "- 'x'}", '+ "x"}'].map((line) => `    ${line}`)
  expect(describeRepairs(repairs, text, plain)).toEqual(['  repaired by quotes (lossless)', ...shown])
})
