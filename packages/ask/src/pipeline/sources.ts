import type { AskSource } from '../reply/envelope.ts'
import type { RetrievedChunk } from '../retrieval/retriever.ts'

/** Chunks as sources, in their order: the headings above a passage are part of what it says. */
export function sourcesOf(chunks: readonly RetrievedChunk[]): readonly AskSource[] {
  return chunks.map(({ urn, text, headings }) => {
    const above = hasHeading(text, headings.at(-1)) ? headings.slice(0, -1) : headings
    return { urn, payload: above.length === 0 ? text : `${above.join(' › ')}\n\n${text}` }
  })
}

/** Whether a passage begins with the heading that is right above it. */
function hasHeading(text: string, heading: string | undefined): boolean {
  return heading !== undefined && /^#{1,6} /.test(text) && text.slice(text.indexOf(' ')).trimStart().startsWith(heading)
}
