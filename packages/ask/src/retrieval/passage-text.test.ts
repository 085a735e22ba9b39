import { dirname } from 'node:path'
import { terms } from '@stickler/core/internal/relevance'
import { expect, test } from 'vitest'
import { chunksOf } from '../indexing/chunking/chunks-of.ts'
import { indexFolder } from '../indexing/index-folder.ts'
import { memoryEngine } from './engines/sqlite/sqlite-engine.ts'
import { passageText, searchableText, sourcesOf } from './passage-text.ts'

test.each([
  [
    'the heading that a passage begins with',
    ['Guide', 'Hash'],
    '# Hash\n\ntext',
    'Guide\n\n# Hash\n\ntext',
    'Guide\nHash\nGuide\n\n# Hash\n\ntext',
  ],
  ['a later part of a section', ['Guide', 'Hash'], 'text', 'Guide › Hash\n\ntext', 'Guide\nHash\nGuide › Hash\n\ntext'],
  ['no heading', [], '# text', '# text', '# text'],
])('says each heading once, and is searched by each twice: %s', (_name, headings, text, said, searched) => {
  expect(passageText({ headings, text })).toBe(said)
  expect(searchableText({ headings, text })).toBe(searched)
})

test('vectors and sources are made of the same text, and headings weigh more among the terms', async () => {
  const embedded: string[] = []
  const embedder = {
    name: 'noting',
    embed: async (texts: readonly string[]) => {
      embedded.push(...texts)
      return texts.map(() => Float32Array.of(1))
    },
  }
  const root = new URL('../../../../docs/guide/retrieval.md', import.meta.url).pathname
  const engine = memoryEngine()
  await indexFolder({ root, base: dirname(root), engine, embedder })
  const found = await engine.searchText(terms('retrieval'), 100)
  expect(found.length).toBeGreaterThan(3)
  expect(new Set(embedded)).toEqual(new Set(found.map(searchableText)))
  expect(sourcesOf(found.map((hit) => ({ ...hit, ranks: {} }))).map(({ payload }) => payload)).toEqual(found.map(passageText))
  const [chunk] = chunksOf('a.md', '# Hash\n\ntext')
  expect(chunk?.terms).toEqual(terms(`${'a\nHash\n'.repeat(4)}# Hash\n\ntext`))
})
