import { isFields } from '@stickler/core/internal'
import type { Part } from './model.ts'

/** A text, or the end of one, after its text has changed: citations keep their sources, but no offsets into what is no longer there. */
export function withoutOffsets(part: Part): Part {
  if (!Array.isArray(part.citations)) return part
  const placeless = (citation: unknown): unknown => {
    if (!isFields(citation)) return citation
    const { startIndex: _start, endIndex: _end, ...source } = citation
    return source
  }
  return { ...part, citations: part.citations.map(placeless) }
}
