import { terms } from '@stickler/core/relevance'
import type { RelevanceJudge } from './relevance-judge.ts'

/** Judges by the share of the query's terms that one passage has. */
export const overlapJudge: RelevanceJudge = async (query, passages) => {
  const asked = new Set(terms(query).filter((term) => term.length > 3))
  const shares = passages.map((passage) => {
    const there = new Set(terms(passage))
    return [...asked].filter((term) => there.has(term)).length / Math.max(1, asked.size)
  })
  const score = Math.max(0, ...shares)
  return { relevant: score >= 0.25, strategy: 'lexical', score }
}
