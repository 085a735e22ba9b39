/** What an indexing run did, by the paths of documents. */
export interface IndexReport {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  /** How many documents were indexed already as they are. */
  readonly unchanged: number
  /** What was left out although it might have been expected, and why. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[]
  /** How many files and folders were left out by their names, such as hidden ones. */
  readonly ignored: number
  /** How many chunks were written. */
  readonly chunks: number
}

/** How far an indexing run is. */
export interface IndexProgress {
  /** Files that are done, of all that were found. */
  readonly files: number
  readonly total: number
  /** Chunks that were written so far. */
  readonly chunks: number
}
