import type { TextSpan } from '../../answer/span.ts'

/** A well-formed marker. */
export interface Citation {
  /** The number as it is written, from 1. */
  readonly marker: number
  readonly span: TextSpan
  /** Place among the sources, from 0; there need be no such source. */
  readonly sourceIndex: number
}

/** The citation of a number. */
export function citationOf(marker: number, span: TextSpan): Citation {
  return { marker, span, sourceIndex: marker - 1 }
}
