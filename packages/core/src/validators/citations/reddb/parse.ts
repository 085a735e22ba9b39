import type { TextSpan } from '../../../answer/span.ts'
import { type FoundMarker, ReddbScanner } from './scanner.ts'

/** A well-formed marker. */
export interface Citation {
  /** The number as it is written, from 1. */
  readonly marker: number
  readonly span: TextSpan
  /** Place among the sources, from 0; there need be no such source. */
  readonly sourceIndex: number
}

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

/** The citation of a number. */
export function citationOf(marker: number, span: TextSpan): Citation {
  return { marker, span, sourceIndex: marker - 1 }
}
