import type { SourceParser } from '@stickler/core/validators'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { yaml } from './index.ts'

let parse: SourceParser

beforeAll(async () => {
  parse = await yaml.load()
})

const told = (source: string) => parse(source).map(({ line, column, message }) => `${line}:${column} ${message}`)

test.each([
  ['several documents', '--- a\n--- b\n...\n%YAML 1.2\n---\nc: 1'],
  ['tags, aliases and duplicate keys', 'a: !Ref &x b\nc: *y\na: 2\n<<: *x'],
  ['JSON', '{"a": [1, {"b": null}]}'],
  ['line breaks of all kinds', 'a: 1\r\nb: 2\rc: 3\n'],
  ['nothing', ''],
])('%s parse', (_, source) => {
  expect(parse(source)).toEqual([])
})

test.each([
  ['a:\n\tb: 1', ['2:1 Indent with spaces: YAML does not allow tabs.']],
  ['msg: Error: not found', ['1:6 Put the value in quotes, or its keys on indented lines of their own: a line holds one `key: value`.']],
  ['a: [1, 2\nb: 3', ['2:1 Close the bracket with `]`.']],
  ['a: "x\n', ['2:1 Close the string that starts with `"`.']],
  ['a:\n    b: 1\n  c: 2', ['3:1 Indent this line like the other items of its block.']],
  ['a: @x', ['1:4 Put this value in quotes: it must not start with this character.']],
  ['name: {{ x }}y', ['1:14 Put the template expression in quotes: YAML reads its braces.']],
  ['```yaml\na: 1\n```', ['1:1 Remove this fence: it is not part of the code.', '3:1 Remove this fence: it is not part of the code.']],
  ['%YAML 1.2\n', ['1:1 Write `---` and a document after the directives.']],
  ['%YAML 1.2\n%YAML 1.2\n---\na: 1', ['2:1 Keep one %YAML directive only.']],
  ['é: "日本\\d"', ['1:7 Write the backslash as \\\\, or put the text in single quotes.']],
])('%j', (source, expected) => {
  expect(told(source)).toEqual(expected)
})

test.each([
  ['brackets', '['.repeat(5000)],
  ['brackets with quoted ones', '["]", '.repeat(5000)],
  ['lists', `${'- '.repeat(5000)}a`],
  ['indentation', Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
])('%s that are nested too deeply have no verdict', (_, source) => {
  expect(() => parse(source)).toThrow(RangeError)
  expect(parse('a: 1')).toEqual([])
})

test('anything has faults inside of the source, or none', () => {
  const pieces = fc.constantFrom(
    ...[
      'a',
      ': ',
      '- ',
      '\n',
      '  ',
      '"',
      "'",
      '[',
      ']',
      '{',
      '}',
      ', ',
      '# ',
      '&a ',
      '*a ',
      '!t ',
      '|',
      '>',
      '\t',
      '%',
      '---\n',
      '? ',
      '\r',
      '\ufeff',
      '\ud800',
      '日',
    ],
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
      const source = parts.join('')
      const count = source.split(/\r\n|[\r\n]/).length
      for (const { line, endLine } of parse(source)) expect(Math.max(line, endLine)).toBeLessThanOrEqual(count)
    }),
    { numRuns: 1000 },
  )
})
