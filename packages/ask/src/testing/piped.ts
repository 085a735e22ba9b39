import type { RelevanceJudge } from '../pipeline/relevance-judge.ts'
import type { RetrievedChunk, Retriever } from '../retrieval/retriever.ts'
import { RetrieverUnavailable } from '../retrieval/retriever.ts'

/** What tests look up. */
export const passages: readonly RetrievedChunk[] = [
  { urn: 'docs/a.md#L1', text: 'Hashes are made with encodeSHA256.', headings: ['Hashes'], score: 0.03, ranks: { text: 1 } },
  { urn: 'docs/b.md#L1', text: 'Loops begin with startLoop.', headings: [], score: 0.02, ranks: { text: 2, vector: 1 } },
]

/** A retriever that finds the same for everything, and remembers what it was asked. */
export function fixedRetriever(found: readonly RetrievedChunk[] | Error = passages): Retriever & { readonly queries: string[] } {
  const queries: string[] = []
  return {
    queries,
    async retrieve(query) {
      queries.push(query)
      if (found instanceof Error) throw found
      return { chunks: found }
    },
  }
}

/** A retriever that cannot look. */
export const downRetriever = (): Retriever => fixedRetriever(new RetrieverUnavailable('the index cannot be reached'))

/** A retriever that never answers, and does not listen to anybody. */
export const hangingRetriever: Retriever = { retrieve: () => new Promise(() => {}) }

/** Judges as it is told. */
export function judge(relevant: boolean, score = relevant ? 0.9 : 0.1): RelevanceJudge {
  return async () => ({ relevant, score, strategy: 'lexical' })
}
