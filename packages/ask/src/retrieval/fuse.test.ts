import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuse } from './hybrid-retriever.ts'
import type { Hit } from './index-engine.ts'

const hit = (urn: string): Hit => ({ urn, text: `text of ${urn}`, headings: [], score: 1 })

test('a passage that both halves found comes before one that a single half found first', () => {
  const fused = fuse([hit('a'), hit('b')], [hit('c'), hit('b')], 8)
  expect(fused.map(({ urn, ranks }) => [urn, ranks])).toEqual([
    ['b', { text: 2, vector: 2 }],
    ['a', { text: 1 }],
    ['c', { vector: 1 }],
  ])
  expect(fused[0]?.score).toBe(2 / 62)
})

test('fuses as the obvious version does, whatever the halves found', () => {
  const half = fc.uniqueArray(fc.stringMatching(/^[a-h]{1,2}$/), { maxLength: 30 })
  const check = fc.property(half, half, fc.integer({ min: 0, max: 40 }), (text, vector, limit) => {
    const score = (urn: string): number =>
      [text, vector].reduce((sum, half) => (half.includes(urn) ? sum + 1 / (60 + half.indexOf(urn) + 1) : sum), 0)
    const expected = [...new Set([...text, ...vector])].sort().sort((a, b) => score(b) - score(a))
    const fused = fuse(text.map(hit), vector.map(hit), limit)
    expect(fused.map(({ urn }) => urn)).toEqual(expected.slice(0, limit))
    expect(fused.map(({ score }) => score)).toEqual(expected.slice(0, limit).map(score))
  })
  fc.assert(check, { numRuns: 200 })
})

test('a passage that a half names twice counts once, at its first place', () => {
  expect(fuse([hit('a'), hit('a'), hit('b')], [], 8).map(({ urn, ranks }) => [urn, ranks.text])).toEqual([
    ['a', 1],
    ['b', 2],
  ])
})
