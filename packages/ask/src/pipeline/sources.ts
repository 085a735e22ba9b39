import type { AskSource } from '../reply/envelope.ts'
import { passageText } from '../retrieval/passage-text.ts'
import type { RetrievedChunk } from '../retrieval/retriever.ts'

/** Chunks as sources, in their order. */
export function sourcesOf(chunks: readonly RetrievedChunk[]): readonly AskSource[] {
  return chunks.map((chunk) => ({ urn: chunk.urn, payload: passageText(chunk) }))
}
