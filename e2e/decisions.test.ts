import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './support/places.ts'

test('every decision is listed in the index, once and in order', async () => {
  const index = await readFile(join(root, 'docs/README.md'), 'utf8')
  const listed = [...index.matchAll(/\]\(decisions\/([^)]+)\)/g)].map(([, file]) => file)
  expect(listed).toEqual((await readdir(join(root, 'docs/decisions'))).sort())
})
