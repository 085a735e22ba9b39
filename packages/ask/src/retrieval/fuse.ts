import { urnOrder } from './engines/urn-order.ts'
import type { Hit } from './index-engine.ts'
import type { RetrievedChunk } from './retriever.ts'

/** The constant of reciprocal rank fusion: how little the first places count more than the later ones. */
export const fusionConstant = 60

/** Fuses what both halves found, best first: each place gives 1 / (60 + place), equal sums are ordered by urn. */
export function fuse(text: readonly Hit[], vector: readonly Hit[], limit: number): RetrievedChunk[] {
  const fused = new Map<string, RetrievedChunk>()
  const add = (hits: readonly Hit[], half: 'text' | 'vector'): void => {
    let place = 0
    for (const { urn, text: passage, headings } of hits) {
      const known = fused.get(urn)
      // Engines name each passage once; a second time would count it twice.
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
