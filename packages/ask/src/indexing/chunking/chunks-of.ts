import { terms } from '@stickler/core/relevance'
import type { Chunk } from '../../retrieval/index-engine.ts'
import { searchableText } from '../../retrieval/passage-text.ts'
import { layoutFor } from './layout-for.ts'
import { urnOf } from './passage.ts'
import { passagesOf } from './passages.ts'

/** Counts the changes to how documents are cut: documents that were cut otherwise are indexed anew. */
export const chunkingVersion = 2

/** Cuts a document into chunks; its format is that of its name. */
export function chunksOf(path: string, text: string): readonly Chunk[] {
  const title = titleOf(path)
  return Array.from(passagesOf(text, layoutFor(path)), (passage) => ({
    urn: urnOf(path, passage),
    text: passage.text,
    headings: passage.headings,
    terms: terms(`${title}\n${searchableText(passage)}`),
  }))
}

/** The name of a file without its ending says what the document is about, as a heading does. */
function titleOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]{1,10}$/, '')
}
