import type { LinePlace } from '../../journal/segment.ts'

/** What a thread is started with. */
export interface ThreadData {
  readonly path: string
  readonly busyTimeoutMs: number
  /** Records of one transaction at most. */
  readonly batchRecords: number
}

/** The messages to a thread: where lines of a journal stand, with the number of the call, or to close the file and end. */
export type ToThread = { readonly call: number; readonly place: LinePlace } | 'close'

/** What became of lines: how many records are in the database now, or the code of what the database did not do; no code where trying again in a thread will not help. */
export type Written = { readonly written: number } | { readonly code?: string }

/** The messages of a thread: that it can begin, or the answer to a call. */
export type FromThread = 'ready' | (Written & { readonly call: number })
