/** Thrown for an invalid query, such as a malformed cursor. */
export class QueryError extends Error {
  override readonly name = 'QueryError'
}

/** A position in a list sorted by time and id, newest first. */
export interface Place {
  readonly at: number
  readonly id: string
}

const mostRows = 500
const usualRows = 50

/** The number of rows for a requested limit. */
export function pageSize(limit: number | undefined): number {
  return Number.isFinite(limit) ? Math.min(mostRows, Math.max(1, Math.trunc(limit ?? usualRows))) : usualRows
}

/** Writes a position as a cursor. */
export function writeCursor({ at, id }: Place): string {
  return `${at}_${id}`
}

/** Reads a cursor. */
export function readCursor(cursor: string): Place {
  const [, at, id] = /^(-?\d{1,16})_(.{1,256})$/s.exec(cursor) ?? []
  if (at === undefined || id === undefined) throw new QueryError('the cursor is not one that this list gave')
  return { at: Number(at), id }
}

/** Reads the cursor of a sequence number. */
export function readSequence(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw new QueryError('the cursor is not one that this list gave')
  return Number(cursor)
}
