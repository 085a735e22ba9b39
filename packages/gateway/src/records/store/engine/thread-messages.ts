import type { LinePlace } from '../journal/segment.ts'
import type { Folded } from './engine.ts'

/** The data that a thread starts with. */
export interface ThreadData {
  readonly path: string
  readonly busyTimeoutMs: number
  /** Maximum number of records in one transaction. */
  readonly batchRecords: number
}

/** Messages to a thread, with the number of the call: the position of lines in a journal, or to add runs to sums at a time; or to close the file and exit. */
export type ToThread = { readonly call: number; readonly place: LinePlace } | { readonly call: number; readonly fold: number } | 'close'

/** Result of a call: the number of records now in the database, or the error code of the database. Without a code, the thread cannot write these lines. */
export type Written = { readonly written: number } | { readonly code?: string }

/** What adding runs to sums did; nothing when it failed. */
export interface FoldedThere {
  readonly folded?: Folded
}

/** Messages from a thread: that it is ready, or the result of a call. */
export type FromThread = 'ready' | ((Written | FoldedThere) & { readonly call: number })
