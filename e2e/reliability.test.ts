import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './support/places.ts'

/** A row of the page: its id, and the tests that it names with their files. */
const page = await readFile(join(root, 'docs/reliability.md'), 'utf8')
const named = page.split('\n').flatMap((row) => {
  const id = /^\| ([A-Z]\d\d\w*) \|/.exec(row)?.[1]
  if (id === undefined) return []
  return [...row.matchAll(/\]\(\.\.\/([^)]+\.test\.ts)\)((?:,? ?“[^”]*”)*)/g)].flatMap(([, file = '', names = '']) =>
    [...names.matchAll(/“([^”]*)”/g)].map(([, name = '']) => [id, file, name] as const),
  )
})

test('the page names tests', () => {
  expect(named.length).toBeGreaterThan(150)
})

test.each(named)('%s names a test of %s: %s', async (_id, file, name) => {
  const source = (await readFile(join(root, file), 'utf8')).replaceAll("\\'", "'")
  // A name stands in the source as it is, with gaps, or as the title of a table whose cells fill it.
  const stands = name
    .split(/…|%\w/)
    .filter((part) => part.trim().length > 3)
    .every((part) => source.includes(part.trim()))
  expect(stands || titlesOf(source).some((title) => title.test(name))).toBe(true)
})

function titlesOf(source: string): RegExp[] {
  const titles = [...source.matchAll(/(?:\(|\)\()['`]([^'`\n]*%[sj][^'`\n]*)['`],/g)].map(([, title = '']) => title)
  return titles
    .filter((title) => title.replaceAll(/%[sj]|\W/g, '').length > 5)
    .map((title) => new RegExp(`^${title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/%[sj]/g, '.*')}$`))
}
