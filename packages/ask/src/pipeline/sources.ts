import type { AskSource } from '../reply/envelope.ts'
import type { RetrievedChunk } from '../retrieval/retriever.ts'

/** Chunks as sources, in their order: the headings above a passage are part of what it says. */
export function sourcesOf(chunks: readonly RetrievedChunk[]): readonly AskSource[] {
  return chunks.map(({ urn, text, headings }) => ({ urn, payload: headings.length === 0 ? text : `${headings.join(' › ')}\n\n${text}` }))
}
