import type { Hit } from '../../index-engine.ts'

/** A found passage as a row. */
export interface HitRow {
  readonly urn: string
  readonly text: string
  /** A list in JSON. */
  readonly headings: string
  readonly score: number
}

/** The passage of a row. */
export function hitOf({ urn, text, headings, score }: HitRow): Hit {
  return { urn, text, headings: JSON.parse(headings) as string[], score }
}
