import { QueryError } from './query-error.ts'

/** A place in a list that is sorted by time and id, newest first. */
export interface Place {
  readonly at: number
  readonly id: string
}

const mostRows = 500
const usualRows = 50

/** The number of rows that are given for a wish. */
export function pageSize(limit: number | undefined): number {
  return Number.isFinite(limit) ? Math.min(mostRows, Math.max(1, Math.trunc(limit ?? usualRows))) : usualRows
}

/** Writes a place for the client to send back. */
export function writeCursor({ at, id }: Place): string {
  return `${at}_${id}`
}

/** Reads a place that a client sent back. */
export function readCursor(cursor: string): Place {
  const [, at, id] = /^(-?\d{1,16})_(.{1,256})$/s.exec(cursor) ?? []
  if (at === undefined || id === undefined) throw new QueryError('the cursor is not one that this list gave')
  return { at: Number(at), id }
}

/** Reads a sequence number that a client sent back. */
export function readSequence(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw new QueryError('the cursor is not one that this list gave')
  return Number(cursor)
}
