import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuse, hybridRetriever } from './hybrid-retriever.ts'
import type { Hit } from './index-engine.ts'

const hit = (urn: string): Hit => ({ urn, text: `text of ${urn}`, headings: [], score: 1 })

test('a passage that both halves found comes before one that a single half found first', () => {
  const fused = fuse([hit('a'), hit('b')], [hit('c'), hit('b')])
  expect(fused.map(({ urn, ranks }) => [urn, ranks])).toEqual([
    ['b', { text: 2, vector: 2 }],
    ['a', { text: 1 }],
    ['c', { vector: 1 }],
  ])
  expect(fused[0]?.score).toBe(2 / 62)
})

test('fuses as the obvious version does, whatever the halves found', () => {
  const half = fc.uniqueArray(fc.stringMatching(/^[a-h]{1,2}$/), { maxLength: 30 })
  const check = fc.property(half, half, fc.constantFrom(1, 0.25), (text, vector, weight) => {
    const part = (half: readonly string[], urn: string): number => (half.includes(urn) ? 1 / (60 + half.indexOf(urn) + 1) : 0)
    const score = (urn: string): number => part(text, urn) + weight * part(vector, urn)
    const expected = [...new Set([...text, ...vector])].sort().sort((a, b) => score(b) - score(a))
    const fused = fuse(text.map(hit), vector.map(hit), weight)
    expect(fused.map(({ urn }) => urn)).toEqual(expected)
    expect(fused.map(({ score }) => score)).toEqual(expected.map(score))
  })
  fc.assert(check, { numRuns: 200 })
})

test('a passage that a half names twice counts once, at its first place', () => {
  expect(fuse([hit('a'), hit('a'), hit('b')], []).map(({ urn, ranks }) => [urn, ranks.text])).toEqual([
    ['a', 1],
    ['b', 2],
  ])
})

test('a third passage of a document comes after the others', async () => {
  const urns = ['a#1', 'a#2', 'a#3', 'b#1']
  const engine = { searchText: async () => urns.map(hit), searchVector: async () => [] }
  const { chunks } = await hybridRetriever({ engine }).retrieve('query')
  expect(chunks.map(({ urn }) => urn)).toEqual(['a#1', 'a#2', 'b#1', 'a#3'])
})
