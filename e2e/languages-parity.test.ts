import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { languageOf } from '@stickler/core/internal'
import { localParser } from '@stickler/parser'
import { expect, test } from 'vitest'
import { root } from './support/places.ts'

/** The rows of the table of languages in the guide: names, and the tags that mean them. */
const guide = await readFile(join(root, 'docs/guide/code.md'), 'utf8')
const rows = [...guide.matchAll(/^\| `([a-z]+)` \| (`.*?`) \| /gm)].map(([, name = '', tags = '']) => ({
  name,
  tags: [...tags.matchAll(/`([^`]+)`/g)].map(([, tag = '']) => tag),
}))

test('the guide lists every language, and no other', async () => {
  const parser = localParser()
  expect(rows.map(({ name }) => name)).toEqual(parser.languages())
  await parser.close()
})

test.each(rows)('every tag of $name means it', ({ name, tags }) => {
  expect(tags.map(languageOf)).toEqual(tags.map(() => name))
})
