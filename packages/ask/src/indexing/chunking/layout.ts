import type { DocumentLine } from './document-lines.ts'

/**
 * The cost of splitting before a line: between parts of the document, between items, between lines,
 * or within something that belongs together.
 */
export const cutCost = { part: 0, item: 1, line: 2, inside: 3 } as const

/** One of the costs. */
export type CutCost = (typeof cutCost)[keyof typeof cutCost]

/** Where a document may be split. */
export interface Layout {
  /** The cost of splitting before a line. */
  cost(line: number): CutCost
  /**
   * Whether a line starts a new section, which always starts a chunk, except below headings without
   * text.
   */
  readonly begins: ReadonlySet<number>
  /** Lines that are headings. */
  readonly headingLines: ReadonlySet<number>
  /** The headings above a line, with its own. */
  headingsAt(line: number): readonly string[]
}

/** Finds where a document may be split. */
export type LayOut = (text: string, lines: readonly DocumentLine[]) => Layout

/** A layout without headings. */
export function plainLayout(cost: Layout['cost']): Layout {
  return { cost, begins: new Set(), headingLines: new Set(), headingsAt: () => [] }
}
