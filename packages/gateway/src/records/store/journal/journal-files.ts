/** One file of a journal. */
export interface JournalFile {
  /** By which every thread of this process can read it; absent where it is in memory. */
  readonly descriptor?: number
  /** Writes all bytes at a position, or throws. */
  write(bytes: Uint8Array, position: number): void
  /** Fills the buffer from a position, and tells how much there was. */
  read(into: Uint8Array, position: number): number
  truncate(size: number): void
  size(): number
  close(): void
}

/** Tells the living from the dead: it is held as long as its process lives, and not a moment longer. */
export interface JournalLock {
  /** Lets go, and leaves no trace when there is nothing left to take over. */
  release(options: { readonly remove: boolean }): void
}

/** The folder of journals; everything throws the errors of the system. */
export interface JournalFiles {
  /** Makes sure that the folder is there. */
  prepare(): void
  list(): readonly string[]
  create(name: string): JournalFile
  open(name: string): JournalFile
  remove(name: string): void
  /** Keeps a line that no database takes, for people to look at; within bounds. */
  refuse(line: string): void
  /** Nothing when somebody else holds it. */
  lock(name: string): JournalLock | undefined
}
