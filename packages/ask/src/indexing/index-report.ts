/** What an indexing run did, by document path. */
export interface IndexReport {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  /** Number of unchanged documents. */
  readonly unchanged: number
  /** What was skipped unexpectedly, and why. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[]
  /** Number of files and folders that were skipped by name, such as hidden ones. */
  readonly ignored: number
  /** Number of chunks written. */
  readonly chunks: number
}

/** The progress of an indexing run. */
export interface IndexProgress {
  /** Finished files, of all found. */
  readonly files: number
  readonly total: number
  /** Chunks written so far. */
  readonly chunks: number
}
