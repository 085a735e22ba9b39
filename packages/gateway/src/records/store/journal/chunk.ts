import type { Entry } from '../rows/table-rows.ts'
import type { LinePlace, Lines } from './segment.ts'

/** Lines that wait to be written to the database. */
export interface Chunk extends Lines {
  /** What the lines say, one for each, where this process has written them itself just now. */
  readonly entries?: readonly (Entry | undefined)[]
  /** Where these and all lines behind them stand that may go into the database as they are: this process has written them, under the rules that still hold. */
  readonly place?: LinePlace
  /** Whether more may follow at once, so that it does not pay to wait for others. */
  readonly isCut?: boolean
  /** Forgets the lines, once they are in the database; all of the place when they were not looked at here. */
  done(): void
}

/** Something that has lines to be written. */
export interface ChunkSource {
  /** The oldest lines that wait; nothing when none do. */
  next(): Chunk | undefined
}
