import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { chunksOf, layoutFor } from './chunks-of.ts'
import { type Passage, passagesOf, sizes, urnOf } from './passages.ts'

const cut = (path: string, text: string): Passage[] => [...passagesOf(text, layoutFor(path))]
const words = (count: number, word = 'word'): string => Array.from({ length: count }, (_, index) => `${word}${index}`).join(' ')

/** Documents of what makes cutting hard. */
const documents = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '# Title\n',
        '## Part\n',
        'Setext\n===\n',
        '\n',
        '\n\n',
        '   \n',
        '```js\n',
        '```\n',
        '~~~~\n',
        '- item\n',
        '  more\n',
        '1. one\n',
        '| a | b |\n',
        '| - | - |\n',
        '---\n',
        '> quote\n',
        '\r\n',
        '\r',
        'function a() {\n',
        '}\n',
        'end\n',
        '<think>',
        '\ufeff',
        '🙂',
        '\ud83d',
        '\ude42',
      ),
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.integer({ min: 1, max: 700 }).map((count) => `${words(count, 'x')}\n`),
      fc.integer({ min: 1, max: 4000 }).map((count) => '🙂'.repeat(count)),
      fc.integer({ min: 1, max: 60 }).map((count) => 'Some line of text, not too short.\n'.repeat(count)),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(''))

describe.each(['a.md', 'a.txt', 'a.ts'])('any document named %s', (path) => {
  it('keeps every line that is not blank exactly once, at its place', () => {
    fc.assert(
      fc.property(documents, (text) => {
        const lines = text.split(/\r\n|[\r\n]/)
        const kept = new Map<number, string>()
        for (const { firstLine, lastLine, columns, text: said } of cut(path, text)) {
          if (columns !== undefined) {
            expect(said).toBe((lines[firstLine - 1] ?? '').slice(columns[0] - 1, columns[1]))
            kept.set(firstLine, (kept.get(firstLine) ?? ' '.repeat(columns[0] - 1)) + said)
            continue
          }
          expect(said).toBe(lines.slice(firstLine - 1, lastLine).join('\n'))
          for (let at = firstLine; at <= lastLine; at++) {
            expect(kept.has(at)).toBe(false)
            kept.set(at, lines[at - 1] ?? '')
          }
        }
        for (const [index, line] of lines.entries()) {
          if (line.trim() !== '') expect(kept.get(index + 1)?.trim()).toBe(line.trim())
        }
      }),
      { numRuns: 100 },
    )
  })

  it('gives passages of a bounded size with names of their own, in order, and breaks no character', () => {
    fc.assert(
      fc.property(documents, (text) => {
        const passages = cut(path, text)
        expect(new Set(passages.map((passage) => urnOf(path, passage))).size).toBe(passages.length)
        for (const [index, { text: said, firstLine, lastLine }] of passages.entries()) {
          expect(said.length).toBeLessThanOrEqual(sizes.most)
          expect(said.trim()).not.toBe('')
          expect(lastLine).toBeGreaterThanOrEqual(firstLine)
          expect(firstLine).toBeGreaterThanOrEqual(passages[index - 1]?.lastLine ?? 1)
          if (!/\p{Cs}/u.test(text)) expect(said).not.toMatch(/\p{Cs}/u)
        }
      }),
      { numRuns: 100 },
    )
  })
})

describe('Markdown', () => {
  const shape = (text: string): [number, number, string][] =>
    cut('a.md', text).map(({ firstLine, lastLine, headings }) => [firstLine, lastLine, headings.join(' › ')])

  const cases: readonly (readonly [what: string, text: string, shape: [number, number, string][]])[] = [
    ['nothing', '', []],
    ['blank lines', '\n \n\t\n', []],
    [
      'sections',
      '# A\n\ntext\n\n## B\ntext\n\n# C\ntext\n',
      [
        [1, 3, 'A'],
        [5, 6, 'A › B'],
        [8, 9, 'C'],
      ],
    ],
    [
      'sections with CRLF',
      '# A\r\n\r\ntext\r\n\r\n## B\r\ntext\r\n',
      [
        [1, 3, 'A'],
        [5, 6, 'A › B'],
      ],
    ],
    ['a title without a text belongs to its first section', '# A\n\n## B\n\ntext\n', [[1, 5, 'A › B']]],
    ['a heading at the end', '# A\n', [[1, 1, 'A']]],
    [
      'setext headings',
      'A\n===\ntext\n\nB\n---\ntext\n',
      [
        [1, 3, 'A'],
        [5, 7, 'A › B'],
      ],
    ],
    ['headings in code are not headings', '# A\n```\n# B\n```\ntext\n', [[1, 5, 'A']]],
    [
      'front matter stays apart',
      '---\ntitle: x\n---\ntext\n',
      [
        [1, 3, ''],
        [4, 4, ''],
      ],
    ],
    [
      'text before the first heading',
      `${words(3)}\n# A\ntext`,
      [
        [1, 1, ''],
        [2, 3, 'A'],
      ],
    ],
  ]
  test.each(cases)('%s', (_, text, expected) => expect(shape(text)).toEqual(expected))

  it('does not cut a code block, a table or a paragraph that fits', () => {
    const fence = `\`\`\`\n${'a line of code\n\n'.repeat(70)}\`\`\``
    const rows = '| a cell | another cell |\n'.repeat(50).trimEnd()
    const paragraph = 'A line of a paragraph.\n'.repeat(50).trimEnd()
    const passages = cut('a.md', [words(60), fence, words(60), rows, words(60), paragraph].join('\n\n'))
    for (const whole of [fence, rows, paragraph]) expect(passages.some(({ text }) => text.includes(whole))).toBe(true)
  })

  it('cuts long lists between items', () => {
    const passages = cut('a.md', '- an item with a few words\n  and a second line\n'.repeat(100))
    expect(passages.length).toBeGreaterThan(3)
    for (const { text } of passages) expect(text).toMatch(/^- .*second line$/s)
  })
})

it('code is cut between definitions, text between paragraphs', () => {
  const definition = (name: string): string => `/** Why. */\nfunction ${name}() {\n${'  call()\n\n'.repeat(40)}}\n`
  for (const { text } of cut('a.ts', ['a', 'b', 'c', 'd', 'e'].map(definition).join('\n'))) expect(text).toMatch(/^\/\*\*.*\}$/s)
  const paragraph = 'One line of it\nand the next.\n'.repeat(20).trimEnd()
  for (const { text } of cut('LICENSE', Array(9).fill(paragraph).join('\n\n'))) expect(text).toMatch(/^One.*next\.$/s)
})

it('a line of 1 MB is cut behind words', () => {
  const passages = cut('a.txt', words(140_000))
  expect(passages.length).toBeGreaterThan(900)
  for (const { text, columns } of passages) {
    expect(text.length).toBeLessThanOrEqual(sizes.target)
    expect(text).toMatch(/^word/)
    expect(columns).toBeDefined()
  }
})

it('names chunks by lines, and gives them the terms of the name, the headings and the text', () => {
  expect(chunksOf('docs/a.md', '# Streams\nHeld back.\n\n## One\nx\n')).toMatchObject([
    { urn: 'docs/a.md#L1-L2', headings: ['Streams'], text: '# Streams\nHeld back.' },
    { urn: 'docs/a.md#L4-L5', headings: ['Streams', 'One'] },
  ])
  expect(chunksOf('x.txt', 'one line').map(({ urn, terms }) => [urn, terms.length])).toEqual([['x.txt#L1', 6]])
  expect(chunksOf('x.txt', '🙂'.repeat(1500)).map(({ urn }) => urn)).toEqual([
    'x.txt#L1C1-L1C1000',
    'x.txt#L1C1001-L1C2000',
    'x.txt#L1C2001-L1C3000',
  ])
})
