import type { Entry } from '../rows/table-rows.ts'
import type { LinePlace, Lines } from './segment.ts'

/** Lines waiting to be written to the database. */
export interface Chunk extends Lines {
  /** The parsed records, one for each line, if this process has just written the lines. */
  readonly entries?: readonly (Entry | undefined)[]
  /** The position of these and all later lines that may be written unchanged: this process wrote them, under the current settings. */
  readonly place?: LinePlace
  /** Whether more lines follow at once, so that waiting for others does not pay. */
  readonly isCut?: boolean
  /** Discards the lines once they are in the database; all lines of the position if they were not read here. */
  done(): void
}

/** A source of lines for the database. */
export interface ChunkSource {
  /** The oldest waiting lines; undefined when there are none. */
  next(): Chunk | undefined
}
