import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { folderWith } from '../testing/run-cli.ts'
import { unifiedDiff } from './unified-diff.ts'

test('names the lines, with three of context, and what has no line break at its end', () => {
  const lines = (...numbers: (number | string)[]) => numbers.map((one) => `${one}\n`).join('')
  expect(unifiedDiff('a.md', lines(1, 2, 3, 4, 5, 6, 7, 8, 9), lines(1, 2, 3, 4, 'x', 6, 7, 8, 9))).toBe(
    '--- a/a.md\n+++ b/a.md\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n',
  )
  expect(unifiedDiff('a.md', 'x', 'x\n')).toBe('--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n')
  expect(unifiedDiff('a.md', '', 'x\n')).toBe('--- a/a.md\n+++ b/a.md\n@@ -0,0 +1 @@\n+x\n')
  expect(unifiedDiff('a.md', 'x\n', 'x\n')).toBe('')
})

const runs = 10
const line = fc.constantFrom(
  'a',
  'b',
  'c',
  '',
  ' ',
  '-',
  '+',
  '\\',
  '--- a/x',
  '+++ b/x',
  '@@ -1 +1 @@',
  'x\r',
  'ä',
  '\u2028',
  '\u0000',
  '\ufeff',
  'a\u000cb',
)
const text = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
  .map(([lines, ended]) => lines.join('\n') + (ended && lines.length > 0 ? '\n' : ''))

test('patch and git apply make the new text of the old one', async () => {
  const cwd = await folderWith({})
  await fc.assert(
    fc.asyncProperty(
      text,
      text,
      fc.constantFrom('a.md', 'with space.md', 'quo"te\\.md', 'tab\t.md', 'émile.md'),
      async (before, after, name) => {
        // An empty file is a deleted or a new one to both tools.
        fc.pre(before !== after && before !== '' && after !== '')
        const diff = unifiedDiff(name, before, after)
        const apply = async (command: string, ...argv: string[]): Promise<string> => {
          await writeFile(join(cwd, name), before)
          execFileSync(command, argv, { cwd, input: diff, stdio: ['pipe', 'ignore', 'pipe'] })
          return readFile(join(cwd, name), 'utf8')
        }
        expect(await apply('git', 'apply', '--whitespace=nowarn', '-')).toBe(after)
        // Binary, or carriage returns are taken away; NUL is beyond it.
        if (!/\0/.test(before + after)) expect(await apply('patch', '--binary', '-p1', '-s')).toBe(after)
      },
    ),
    { numRuns: runs },
  )
})

test('a long text that changes everywhere costs little', () => {
  const before = Array.from({ length: 50_000 }, (_, at) => `line ${at}\n`).join('')
  const diff = unifiedDiff('a.md', before, before.replaceAll('line', 'row'))
  expect(diff.split('\n').length).toBe(100_004)
})
