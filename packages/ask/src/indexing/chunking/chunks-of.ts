import { terms } from '@stickler/core/relevance'
import type { Chunk } from '../../retrieval/index-engine.ts'
import { searchableText } from '../../retrieval/passage-text.ts'
import { layoutFor } from './layout-for.ts'
import { urnOf } from './passage.ts'
import { passagesOf } from './passages.ts'

/** Version of the chunking: documents chunked by another version are indexed again. */
export const chunkingVersion = 2

/** Splits a document into chunks; its format follows from its name. */
export function chunksOf(path: string, text: string): readonly Chunk[] {
  const title = titleOf(path)
  return Array.from(passagesOf(text, layoutFor(path)), (passage) => ({
    urn: urnOf(path, passage),
    text: passage.text,
    headings: passage.headings,
    terms: terms(`${title}\n${searchableText(passage)}`),
  }))
}

/** A file name without its extension describes the document, as a heading does. */
function titleOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]{1,10}$/, '')
}
