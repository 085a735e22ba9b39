import type { Chunk, ChunkSource } from './chunk.ts'
import type { JournalFiles } from './journal-files.ts'
import { findOrphans, type Orphan } from './orphan.ts'

/** All journals that were taken over from dead processes. */
export class Orphans implements ChunkSource {
  readonly #files: JournalFiles
  #found: readonly Orphan[] = []

  constructor(files: JournalFiles) {
    this.#files = files
  }

  /** Looks for journals that lost their process, and tells whether there are any. */
  search(): boolean {
    try {
      this.#found = [...this.#found, ...findOrphans(this.#files)]
    } catch {
      // A folder that cannot be read now is looked at again later.
    }
    return this.#found.length > 0
  }

  next(): Chunk | undefined {
    while (true) {
      const [first] = this.#found
      if (!first) return undefined
      const chunk = nextOf(first)
      if (chunk) return chunk
      this.#found = this.#found.slice(1)
      first.release()
    }
  }

  release(): void {
    for (const orphan of this.#found) orphan.release()
    this.#found = []
  }
}

/** A file that cannot be read must not hold up the others; it stays for the next search. */
function nextOf(orphan: Orphan): Chunk | undefined {
  try {
    return orphan.next()
  } catch {
    return undefined
  }
}
