import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import picomatch from 'picomatch'
import { expect, test } from 'vitest'
import { rest, sets } from '../tools/tests/sets.ts'
import { root } from './support/places.ts'
import { walk } from './support/walk.ts'

const files = (await walk()).filter((path) => path.endsWith('.test.ts'))
const matches = (path: string, patterns: readonly string[]) => patterns.some((pattern) => picomatch.isMatch(path, pattern))
const setsOf = (path: string) =>
  Object.entries(sets).flatMap(([name, { include, exclude }]) => (matches(path, include) && !matches(path, exclude) ? [name] : []))

test('every test file is in one set', () => {
  expect(files.length).toBeGreaterThan(500)
  expect(files.map((path) => [path, setsOf(path)] as const).filter(([, found]) => found.length !== 1)).toEqual([])
})

test('a file that is in none, and one that would run in two, are found', () => {
  expect(setsOf('tools/tests/lost.test.ts')).toEqual([])
  expect(setsOf('e2e/faults/new-fault.test.ts')).toHaveLength(2)
})

test('every pattern of the rest has a file, and no file has two', () => {
  const patterns = Object.values(rest).flat()
  expect(patterns.filter((pattern) => !files.some((path) => picomatch.isMatch(path, pattern)))).toEqual([])
  const twice = files.filter((path) => patterns.filter((pattern) => picomatch.isMatch(path, pattern)).length > 1)
  expect(twice).toEqual([])
})

test('npm test and the rest run all sets between them, and CI runs both', async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  const projectsOf = (script: string) => [...(scripts[script] ?? '').matchAll(/--project (\S+)/g)].map(([, name]) => name)
  expect([...projectsOf('test'), ...projectsOf('test:rest')].sort()).toEqual(Object.keys(sets).sort())
  const ci = (await readFile(join(root, '.ci/run'), 'utf8')).split('\n').filter((line) => line.startsWith('npm '))
  expect(ci).toEqual(['npm ci', 'npm test', 'npm run test:rest', 'npm run test:nodes -- 26', 'npm run test:runtimes -- bun deno workerd'])
})

test('CONTRIBUTING.md lists what npm test leaves out', async () => {
  const page = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8')
  const rows = Object.entries(rest).map(([what, patterns]) => `| ${what} | ${patterns.map((pattern) => `\`${pattern}\``).join(', ')} |`)
  expect(page).toContain(`\n| --- | --- |\n${rows.join('\n')}\n\n`)
})
