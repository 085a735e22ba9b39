/** What a thread is started with. */
export interface ThreadData {
  readonly path: string
  readonly busyTimeoutMs: number
  /** Records of one transaction at most. */
  readonly batchRecords: number
}

/** The messages to a thread: lines of a journal, or to close the file and end. */
export type ToThread = Uint8Array | 'close'

/** The messages of a thread: how many records are in the database now, or the code of what the database did not do; no code where trying again in a thread will not help. */
export type FromThread = { readonly written: number } | { readonly code?: string }
