import type { AskSource } from '@stickler/presets/internal'
import type { RetrievedChunk } from './retriever.ts'

/** A passage and the headings above it, from the outermost. */
export interface Headed {
  readonly headings: readonly string[]
  readonly text: string
}

/**
 * The searched text of a passage, for text and vector search: its content, and its headings once
 * more, because they describe it best.
 */
export function searchableText(passage: Headed): string {
  return [...passage.headings, passageText(passage)].join('\n')
}

/** The text of a passage for readers: the headings above it, each once, then its text. */
export function passageText({ headings, text }: Headed): string {
  const above = hasHeading(text, headings.at(-1)) ? headings.slice(0, -1) : headings
  return above.length === 0 ? text : `${above.join(' › ')}\n\n${text}`
}

/** Chunks as sources, in their order. */
export function sourcesOf(chunks: readonly RetrievedChunk[]): readonly AskSource[] {
  return chunks.map((chunk) => ({ urn: chunk.urn, payload: passageText(chunk) }))
}

/** Whether a passage starts with the heading right above it. */
function hasHeading(text: string, heading: string | undefined): boolean {
  return heading !== undefined && /^#{1,6} /.test(text) && text.slice(text.indexOf(' ')).trimStart().startsWith(heading)
}
