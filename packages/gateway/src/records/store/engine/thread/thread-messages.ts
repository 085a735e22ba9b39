import type { LinePlace } from '../../journal/segment.ts'

/** The data that a thread starts with. */
export interface ThreadData {
  readonly path: string
  readonly busyTimeoutMs: number
  /** Maximum number of records in one transaction. */
  readonly batchRecords: number
}

/** Messages to a thread: the position of lines in a journal with the number of the call, or to close the file and exit. */
export type ToThread = { readonly call: number; readonly place: LinePlace } | 'close'

/** Result of a call: the number of records now in the database, or the error code of the database. Without a code, the thread cannot write these lines. */
export type Written = { readonly written: number } | { readonly code?: string }

/** Messages from a thread: that it is ready, or the result of a call. */
export type FromThread = 'ready' | (Written & { readonly call: number })
