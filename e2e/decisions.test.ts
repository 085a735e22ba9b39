import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './support/places.ts'

const folder = join(root, 'docs/decisions')
const files = (await readdir(folder)).sort()
const index = await readFile(join(root, 'docs/README.md'), 'utf8')

test('every decision is listed in the index, once and in order, and every number without one is explained there', () => {
  expect([...index.matchAll(/\]\(decisions\/([^)]+)\)/g)].map(([, file]) => file)).toEqual(files)
  const numbers = Array.from({ length: Number(files.at(-1)?.slice(0, 4)) }, (_, at) => String(at + 1).padStart(4, '0'))
  const unused = /The numbers (.*?) belong to no record/.exec(index)?.[1]?.match(/\d{4}/g)
  expect(unused).toEqual(numbers.filter((number) => !files.some((file) => file.startsWith(number))))
})

test.each(files)('%s is superseded only by later decisions, which name it', async (file) => {
  const text = await readFile(join(folder, file), 'utf8')
  for (const [, later = ''] of text.matchAll(/superseded by \[\d+\]\(([^)]+)\)/gi)) {
    expect(later > file).toBe(true)
    expect(await readFile(join(folder, later), 'utf8')).toContain(`(${file})`)
  }
})
