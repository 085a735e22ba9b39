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

/** A line of a document, without its line break. */
export interface DocumentLine {
  readonly text: string
  /** Where it starts in the document, in UTF-16 units. */
  readonly start: number
  readonly isBlank: boolean
}

/** The lines of a document; LF, CRLF and CR end one, as in `positionAt`. */
export function documentLines(text: string): readonly DocumentLine[] {
  const lines: DocumentLine[] = []
  let start = 0
  for (const { index, 0: lineBreak } of text.matchAll(/\r\n|[\r\n]/g)) {
    lines.push(line(text.slice(start, index), start))
    start = index + lineBreak.length
  }
  if (start < text.length) lines.push(line(text.slice(start), start))
  return lines
}

function line(text: string, start: number): DocumentLine {
  return { text, start, isBlank: text.trim() === '' }
}
