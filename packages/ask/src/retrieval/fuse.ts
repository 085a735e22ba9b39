import { urnOrder } from './engines/urn-order.ts'
import type { Hit } from './index-engine.ts'
import type { RetrievedChunk } from './retriever.ts'

/** The constant of reciprocal rank fusion: the larger, the less the first ranks dominate. */
export const fusionConstant = 60

/**
 * Fuses the results of both searches, best first: each rank scores 1 / (60 + rank), equal sums are
 * ordered by urn.
 */
export function fuse(text: readonly Hit[], vector: readonly Hit[], limit: number): RetrievedChunk[] {
  const fused = new Map<string, RetrievedChunk>()
  const add = (hits: readonly Hit[], half: 'text' | 'vector'): void => {
    let place = 0
    for (const { urn, text: passage, headings } of hits) {
      const known = fused.get(urn)
      // Engines return each passage once; a second time would count it twice.
      if (known?.ranks[half] !== undefined) continue
      place++
      const score = (known?.score ?? 0) + 1 / (fusionConstant + place)
      fused.set(urn, { urn, text: passage, headings, score, ranks: { ...known?.ranks, [half]: place } })
    }
  }
  add(text, 'text')
  add(vector, 'vector')
  return [...fused.values()].sort((one, other) => other.score - one.score || urnOrder(one.urn, other.urn)).slice(0, limit)
}
