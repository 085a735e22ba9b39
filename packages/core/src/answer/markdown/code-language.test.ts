import fc from 'fast-check'
import { expect, test } from 'vitest'
import { familyOf, languageOf } from './code-language.ts'

test.each([
  ['', ''],
  ['python', 'python'],
  ['Python 3', 'python'],
  ['py3', 'python'],
  ['python3.12', 'python'],
  ['ts {1,3}', 'typescript'],
  ['ts{1,3}', 'typescript'],
  ['c++', 'cpp'],
  ['C#', 'csharp'],
  ['JavaScript', 'javascript'],
  ['python title="x.py"', 'python'],
  ['title="x.py"', ''],
  ['{.python}', 'python'],
  ['{.python .numberLines}', 'python'],
  ['{#id .python startFrom="1"}', 'python'],
  ['{python, echo=FALSE}', 'python'],
  ['{ .js }', 'javascript'],
  ['{1,3}', ''],
  ['{title="a"}', ''],
  ['{', ''],
  ['language-js', 'javascript'],
  ['lang-lang-ts', 'typescript'],
  ['.py', 'python'],
  ['js:src/app.js', 'javascript'],
  ['js,linenos', 'javascript'],
  ['python=', 'python'],
  ['python=12', 'python'],
  ['sh', 'bash'],
  ['json lines', 'jsonl'],
  ['JSON-Lines', 'jsonl'],
  ['json linenos', 'json'],
  ['constructor', 'constructor'],
  ['__proto__', '__proto__'],
  ['brainf***', 'brainf***'],
  ['```', ''],
  ['x'.repeat(100_000), ''],
])('%j names %j', (tag, language) => {
  expect(languageOf(tag)).toBe(language)
})

test.each('mysql mariadb sqlite tsql mssql plsql oracle bigquery snowflake jsonl ndjson json5 helm jinja yaml+jinja'.split(' '))(
  'the dialect %s has another grammar, so that it is a language of its own',
  (tag) => {
    expect(languageOf(tag)).toBe(tag)
  },
)

test('a language is its own tag, and short, whatever the tag', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '.',
    ' ',
    '=',
    ':',
    '#',
    'py',
    'lang-',
    'language-',
    '3',
    '"',
    'C++',
    '\u0130',
    'K',
    '\t',
    '-',
    '\ud800',
    '_',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces).map((list) => list.join('')),
      ),
      (tag) => {
        const language = languageOf(tag)
        expect(languageOf(language)).toBe(language)
        expect(language.length).toBeLessThanOrEqual(40)
        expect(familyOf(familyOf(language))).toBe(familyOf(language))
      },
    ),
    { numRuns: 2000 },
  )
})
