import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { referenceLists } from '../tools/build/references.mjs'
import { root } from './support/places.ts'
import { requireBuilt } from './support/require-built.ts'

test('the lists of the docs are those of the records: npm run lists', async () => {
  requireBuilt(['core', 'ask', 'parser', 'gateway', 'cli'])
  const { pages } = await import('../tools/docs/lists.mjs')
  for (const [page, text] of Object.entries(pages())) expect(readFileSync(join(root, 'docs', page), 'utf8'), page).toBe(text)
})

test('TypeScript builds and checks every adapter: npm run lists', () => {
  for (const [file, text] of Object.entries(referenceLists())) expect(readFileSync(join(root, file), 'utf8'), file).toBe(text)
})
