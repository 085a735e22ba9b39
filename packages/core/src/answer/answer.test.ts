import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer } from './answer.ts'
import { LineSplitter } from './lines.ts'
import { AnswerReader } from './reader.ts'
import { positionAt } from './span.ts'
import { readToolCalls } from './tool-calls.ts'
import { readYaml } from './yaml.ts'

const fence = '```'
const slices = (text: string, spans: readonly { start: number; end: number }[]): string[] =>
  spans.map(({ start, end }) => text.slice(start, end))

describe('an answer', () => {
  test.each([
    ['`a` and ``b ` c``', ['`a`', '``b ` c``']],
    ['over\na `line\nbreak` too', ['`line\nbreak`']],
    ['`not\n\nover paragraphs`', []],
    ['\\`escaped` is none', []],
    ['`a\\` closes', ['`a\\`']],
    [`${fence}\n\`in a fence\`\n${fence}`, []],
    ['# heading `h`\n\ntext `t`', ['`h`', '`t`']],
    ['```` ` ```` and `x`', ['```` ` ````', '`x`']],
  ])('finds inline code in %j', (text, expected) => {
    expect(slices(text, new Answer(text).inlineCode)).toEqual(expected)
  })

  test('reads code blocks with their language, exact place and content', () => {
    const text = `a\n\n${fence}ts {1,3}\r\nlet x\r\n${fence}\n\n- item\n  ~~~~ Python\n  def f\n  ~~~~\n`
    const [first, second] = new Answer(text).codeBlocks
    expect(first).toMatchObject({ language: 'ts', info: 'ts {1,3}', content: 'let x', closed: true, nested: false, verbatim: true })
    expect(slices(text, [first?.contentSpan ?? { start: 0, end: 0 }])).toEqual(['let x\r\n'])
    expect(second).toMatchObject({
      language: 'python',
      content: 'def f',
      closed: true,
      nested: true,
      verbatim: false,
      char: '~',
      length: 4,
    })
  })

  test('reads check boxes as GitHub does', () => {
    const text = '- [ ] open\n* [x] done\n+ [X] done\n1. [ ] open\n- [] no\n- [ ]\n- [-] no\n-[ ] no\n- text [ ] no\n'
    expect(new Answer(text).listItems.map(({ checked }) => checked)).toEqual([
      false,
      true,
      true,
      false,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  test.each([
    ['<think>a</think>b', '<think>a</think>', 1],
    ['\n <THINKING>\n# x\n</thinking>\n# y', '\n <THINKING>\n# x\n</thinking>', 2],
    ['a <think>b</think>', '', 2],
    ['<think>never closed', '<think>never closed', 0],
    ['<thin', '', 1],
  ])('tells reasoning from the body of %j', (text, reasoning, words) => {
    const answer = new Answer(text)
    expect(answer.reasoning).toBe(reasoning)
    expect(answer.words).toBe(words)
    expect(answer.headings.map((heading) => heading.text)).not.toContain('x')
  })

  test.each([
    ['at the start', '---\na: 1\n---\ntext', 'a: 1'],
    ['after blank lines', '\n\n---\na: 1\n---', 'a: 1'],
    ['with spaces behind the dashes', '---  \na: 1\n--- \n', 'a: 1'],
    ['after prose', 'text\n\n---\n# comment\na: 1\n---\n', '# comment\na: 1'],
    ['with blank lines in it', '---\na: 1\n\nb:\n  - c\n---\n', 'a: 1\n\nb:\n  - c'],
    ['a rule', 'text\n\n---\n\ntext\n\n---\n', undefined],
    ['a rule before prose', 'text\n\n---\nprose here\n---\n', undefined],
    ['a heading underlined', 'Title\n---\na: 1\n---\n', undefined],
    ['never closed', '---\na: 1\n\ntext', undefined],
    ['swallowing a section', '---\na: 1\n\n# t\n\n## s\n\n---\n', undefined],
    ['inside a fence', `${fence}\n---\na: 1\n---\n${fence}`, undefined],
    ['indented', '  ---\n  a: 1\n  ---\n', undefined],
    [
      'however large',
      `---
a: ${'x'.repeat(70_000)}
---
`,
      `a: ${'x'.repeat(70_000)}`,
    ],
  ])('finds front matter: %s', (_name, text, source) => {
    expect(new Answer(text).frontMatters[0]?.content).toBe(source)
  })

  test('reads tool calls, and keeps what is none without a name, so that it is reported', () => {
    const calls = [
      { id: 'c', function: { name: 'f', arguments: '{"a":1}' } },
      { function: { name: 'g', arguments: { b: 2 } } },
      null,
      1,
      { function: null },
      {},
    ]
    expect(readToolCalls(calls)).toEqual([
      { id: 'c', name: 'f', arguments: '{"a":1}' },
      { name: 'g', arguments: '{"b":2}' },
      ...[null, 1, { function: null }, {}].map(() => ({ name: '', arguments: '{}' })),
    ])
    for (const odd of [null, undefined, {}, 'x', 3]) expect(readToolCalls(odd)).toEqual([])
  })
})

test('code is the same whether its lines come at once or one by one', () => {
  const lead = fc.constantFrom('', '', '', ' ', '   ', '    ', '\t', '- ', '> ')
  const word = fc.constantFrom(
    fence,
    fence,
    `${fence}json`,
    `${fence}md`,
    `x ${fence}`,
    '````',
    '~~~',
    '<div>',
    '---',
    'a: b',
    '# x',
    'x',
    '',
  )
  const end = fc.constantFrom('\n', '\n', '\n', '\r\n', ' \n')
  const line = fc.tuple(lead, word, end).map((parts) => parts.join(''))
  const read = (pieces: Iterable<string>): unknown[] => {
    const reader = new AnswerReader()
    for (const piece of pieces) reader.push(piece)
    const { decided } = reader
    reader.end()
    const { codeBlocks, headings, inlines, frontMatters, unclosedFence } = reader
    const blocks = codeBlocks.map(({ span, contentSpan, content, closed, verbatim }) => [span, contentSpan, content, closed, verbatim])
    return [decided, blocks, headings, inlines, frontMatters, unclosedFence]
  }
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      expect(read([lines.join('')])).toEqual(read(lines.join('')))
    }),
    { numRuns: 2000 },
  )
})

describe('lines', () => {
  test('are cut alike for every chunking, and lose nothing', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\r\n', '👍'), maxLength: 30 })
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 5 }), (given, size) => {
        const read = (chunks: readonly string[]): unknown[] => {
          const lines: unknown[] = []
          const splitter = new LineSplitter((line, start, next) => lines.push([line, given.slice(start, next)]))
          for (const chunk of chunks) splitter.push(chunk)
          splitter.end()
          return lines
        }
        const chunks = Array.from({ length: Math.ceil(given.length / size) }, (_, index) => given.slice(index * size, (index + 1) * size))
        const whole = read([given])
        expect(read(chunks)).toEqual(whole)
        expect(whole.map((line) => (line as string[])[1]).join('')).toBe(given)
        expect(whole.map((line) => (line as string[])[0])).toEqual(
          given === '' ? [] : given.replace(/(?:\r\n|[\r\n])$/, '').split(/\r\n|[\r\n]/),
        )
      }),
    )
  })

  test('positions count LF, CRLF and CR', () => {
    expect(positionAt('a\r\nb\rc\nde', 7)).toEqual({ line: 4, column: 1 })
    expect(positionAt('abc', 2)).toEqual({ line: 1, column: 3 })
  })
})

describe('YAML of a model', () => {
  test.each([
    ['brackets', `a: ${'['.repeat(5000)}`],
    ['braces', '{'.repeat(5000)],
    ['compact lists', `${'- '.repeat(5000)}x`],
    ['indentation', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}k:`).join('\n')],
    ['size', `a: ${'x'.repeat(70_000)}`],
    ['aliases', `a: &a [x,x,x,x]\nb: &b [${'*a,'.repeat(20)}]\nc: &c [${'*b,'.repeat(20)}]\nd: [${'*c,'.repeat(20)}]`],
    ['unknown tags', 'a: !!js/function "function () {}"'],
    ['duplicate keys', 'a: 1\na: 2'],
    ['tabs', 'a:\n\tb: 1'],
    ['sets and binaries', 'a: !!set {x, y}'],
    ['an alias that holds itself', 'a: &x [*x]'],
    ['two documents', 'a: 1\n---\nb: 2'],
  ])('is refused without harm: %s', (_name, source) => {
    expect(readYaml(source).ok).toBe(false)
  })

  test('pollutes nothing', () => {
    expect(readYaml('__proto__:\n  polluted: 1\nconstructor: 2').ok).toBe(true)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})
