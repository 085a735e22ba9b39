import type { NodeTrace } from '@stickler/ask/pipeline'
import { expect, test } from 'vitest'
import { keptNodes, readNodes } from './stored-record.ts'

const nodes: readonly NodeTrace[] = [
  { node: 'classify', ms: 1, type: { is: 'RETRIEVAL', by: 'rule' }, degraded: 'the model said canary' },
  { node: 'reformulate', ms: 1, query: 'canary query' },
  { node: 'retrieve', ms: 2, chunks: [{ urn: 'a.md#L1', score: 0.5 }] },
  { node: 'check_context_relevance', ms: 0, relevance: { relevant: true, strategy: 'llm', fallback: 'canary' } },
  { node: 'validate_code', ms: 1, verdict: 'VALID' },
]

test('words are kept only where texts are; names of passages, scores and verdicts always', () => {
  expect(keptNodes(nodes, true)).toEqual(nodes)
  const kept = keptNodes(nodes, false)
  expect(JSON.stringify(kept)).not.toContain('canary')
  expect(kept.map(({ node }) => node)).toEqual(nodes.map(({ node }) => node))
  expect(kept[0]).toMatchObject({ type: { is: 'RETRIEVAL', by: 'rule' }, degraded: 'not kept' })
  expect(kept[2]).toEqual(nodes[2])
  expect(kept[3]?.relevance).toEqual({ relevant: true, strategy: 'llm', fallback: 'not kept' })
})

test('everything is bounded', () => {
  const chunk = { urn: 'u'.repeat(100_000), score: 1 }
  const many = Array.from(
    { length: 1000 },
    (): NodeTrace => ({ node: 'retrieve', ms: 1, query: 'q'.repeat(1e5), chunks: Array(1000).fill(chunk) }),
  )
  const kept = keptNodes(many, true)
  expect(kept).toHaveLength(32)
  expect(kept[0]?.chunks).toHaveLength(50)
  expect(JSON.stringify(kept).length).toBeLessThan(1_000_000)
})

test.each(['', 'null', '{}', '[null]', '[', '"x"'])('what was kept as %s is read as nothing', (json) => {
  expect(readNodes(json)).toBeUndefined()
})

test('nodes of a later version are passed over', () => {
  expect(readNodes('[{"node":"meditate","ms":1},{"node":"classify","ms":2}]')).toEqual([{ node: 'classify', ms: 2 }])
})
