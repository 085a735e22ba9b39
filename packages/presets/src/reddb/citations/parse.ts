import type { TextSpan } from '@stickler/core'
import { citationOf } from '@stickler/core/internal/validators'
import type { Citation } from '@stickler/core/validators'
import { type FoundMarker, ReddbScanner } from './scanner.ts'

/** Something wrong with a marker. */
export interface CitationWarning {
  readonly kind: 'malformed' | 'out_of_range'
  readonly span: TextSpan
  /** What is wrong, byte for byte as RedDB says it. */
  readonly detail: string
}

/** The citations of a text and what is wrong with them, both in text order. */
export interface ParsedCitations {
  readonly citations: readonly Citation[]
  readonly warnings: readonly CitationWarning[]
}

/** Finds the markers `[^N]` of a text as RedDB does, from `start` on, where the reasoning before an answer has ended; spans are UTF-16 offsets. */
export function parseCitations(text: string, sourcesCount: number, start = 0): ParsedCitations {
  const citations: Citation[] = []
  const warnings: CitationWarning[] = []
  const scanner = new ReddbScanner((found) => {
    if (typeof found.marker === 'number') citations.push(citationOf(found.marker, found.span))
    const warning = warningOf(found, sourcesCount)
    if (warning) warnings.push(warning)
  })
  scanner.skip(start)
  scanner.push(text.slice(start))
  return { citations, warnings }
}

/** What is wrong with a marker that was found. */
export function warningOf(found: FoundMarker, sourcesCount: number): CitationWarning | undefined {
  const { span } = found
  if (found.marker === undefined) return { kind: 'malformed', span, detail: found.detail }
  if (found.marker <= sourcesCount) return undefined
  const detail = `marker [^${found.marker}] references source #${found.marker} but only ${sourcesCount} sources available`
  return { kind: 'out_of_range', span, detail }
}
