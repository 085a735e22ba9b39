import { terms } from './terms.ts'

/** How well the chunk that fits best fits a question, from 0 to 1, by its words alone: no model, no corpus, no index. */
export async function lexicalRelevance(question: string, chunks: readonly string[]): Promise<number> {
  const asked = new Set(terms(question))
  const best = chunks.map((chunk) => {
    const there = new Set(terms(chunk))
    return [...asked].filter((term) => there.has(term)).length / Math.max(asked.size, 1)
  })
  return Math.max(0, ...best)
}
