import type { AskSource } from '@stickler/presets/internal'
import { passageText } from '../retrieval/passage-text.ts'
import type { RetrievedChunk } from '../retrieval/retriever.ts'

/** Chunks as sources, in their order. */
export function sourcesOf(chunks: readonly RetrievedChunk[]): readonly AskSource[] {
  return chunks.map((chunk) => ({ urn: chunk.urn, payload: passageText(chunk) }))
}
