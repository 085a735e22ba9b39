import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { titlesOf } from '../tools/tests/titles.mjs'
import { root } from './support/places.ts'

const page = await readFile(join(root, 'docs/reliability.md'), 'utf8')
const rows = page.split('\n').filter((line) => /^\| (?!---|what )/.test(line))
const named = rows.map((row) =>
  [...row.matchAll(/\]\(\.\.\/([^)]+\.test\.ts)\) “([^”]+)”/g)].map(([, file = '', title = '']) => [file, title] as const),
)

test('every promise of the page names a test', () => {
  expect(rows.length).toBeGreaterThan(30)
  expect(rows.filter((_, index) => named[index]?.length === 0)).toEqual([])
})

test.each(named.flat())('%s has the test %s', async (file, title) => {
  expect(titlesOf(await readFile(join(root, file), 'utf8')).map((titles) => fixedWords(titles.at(-1) ?? ''))).toContain(title)
})

test('of a title with gaps, the longest part between them is quoted', () => {
  expect(['plain: title', '%s %s: is let go', 'U08 5xx: 500, 200 (%s %i)', '%s reads %j in time'].map(fixedWords)).toEqual([
    'plain: title',
    'is let go',
    'U08 5xx: 500, 200',
    'in time',
  ])
})

test('titles are read as they are written, with their groups', () => {
  const text = `
    describe('a group', () => {
      test.each([['x', 'no title']])('of %s', () => expect('no title').toBe(1))
      it(\`from \${1} to \${2}\`, async () => {})
    })
    // test('a comment')
    test.skipIf(true)('alone', () => other('no title'))
  `
  expect(titlesOf(text)).toEqual([['a group'], ['a group', 'of %s'], ['a group', 'from … to …'], ['alone']])
})

/** What a reader finds in the file and in every report: the longest part of a title that does not vary. */
function fixedWords(title: string): string {
  const parts = title.split(/%[a-z]/).map((part) => part.replace(/^[\s:]+|[\s:(]+$/g, ''))
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest))
}
