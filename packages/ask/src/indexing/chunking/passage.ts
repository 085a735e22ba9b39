/** A passage of a document: whole lines, or a part of one line that is too long. */
export interface Passage {
  /** Counted from 1. */
  readonly firstLine: number
  readonly lastLine: number
  /** For a part of one line: its first and last column, counted from 1. */
  readonly columns?: readonly [first: number, last: number]
  readonly headings: readonly string[]
  readonly text: string
}

/** The name of a passage, as links to lines are written: `docs/a.md#L10-L42`, `docs/a.md#L7`, `docs/a.md#L7C1-L7C900`. */
export function urnOf(path: string, { firstLine, lastLine, columns }: Passage): string {
  if (columns !== undefined) return `${path}#L${firstLine}C${columns[0]}-L${lastLine}C${columns[1]}`
  return firstLine === lastLine ? `${path}#L${firstLine}` : `${path}#L${firstLine}-L${lastLine}`
}
