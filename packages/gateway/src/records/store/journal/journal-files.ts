/** One file of a journal. */
export interface JournalFile {
  /** Writes all bytes at a position, or throws. */
  write(bytes: Uint8Array, position: number): void
  /** Fills the buffer from a position, and returns the number of bytes read. */
  read(into: Uint8Array, position: number): number
  truncate(size: number): void
  size(): number
  close(): void
}

/** Shows whether a process is alive: the lock is held exactly as long as its process lives. */
export interface JournalLock {
  /** Releases the lock, and removes its file if there is nothing left to take over. */
  release(options: { readonly remove: boolean }): void
}

/** The folder of journals; all methods throw the errors of the system. */
export interface JournalFiles {
  /** Creates the folder if it does not exist. */
  prepare(): void
  list(): readonly string[]
  create(name: string): JournalFile
  open(name: string): JournalFile
  remove(name: string): void
  /** Stores a line that no database accepts, for operators; false beyond a limit. */
  refuse(line: string): boolean
  /** Undefined when another process holds it. */
  lock(name: string): JournalLock | undefined
}
