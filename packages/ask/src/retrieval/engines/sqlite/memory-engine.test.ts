import { expect, test } from 'vitest'
import type { IndexedDocument } from '../../index-engine.ts'
import { memoryEngine } from './sqlite-engine.ts'

const document = (path: string, text: string): IndexedDocument => ({
  path,
  fingerprint: text,
  chunks: [{ urn: `${path}#L1-L1`, text, headings: [], terms: text.split(' ') }],
})

test('BM25 ranks by weight, count and length as computed by hand', async () => {
  const engine = memoryEngine()
  await engine.replace([document('a', 'red red blue'), document('b', 'red green'), document('c', 'green'), document('d', 'blue black')])
  const hits = await engine.searchText(['black', 'red'], 10)
  expect(hits.map(({ urn }) => urn)).toEqual(['d#L1-L1', 'a#L1-L1', 'b#L1-L1'])
  // ln(3.5 / 1.5) for the one of four that holds it; as long as the average of two terms.
  expect(hits[0]?.score).toBeCloseTo((Math.log(3.5 / 1.5) * 2.2) / 2.2)
  expect(await engine.searchText([], 10)).toEqual([])
})
