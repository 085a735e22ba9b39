import type { Chunk, ChunkSource } from './chunk.ts'
import type { JournalFiles, JournalLock } from './journal-files.ts'
import { lockName, ownersOf } from './names.ts'
import { Segment } from './segment.ts'

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

/** The journal of a process that is dead; files that have been written to the database are removed. */
class Orphan implements ChunkSource {
  readonly #files: JournalFiles
  readonly #lock: JournalLock
  readonly #names: string[]
  #segment: Segment | undefined

  constructor(files: JournalFiles, lock: JournalLock, names: readonly string[]) {
    this.#files = files
    this.#lock = lock
    this.#names = [...names]
  }

  next(): Chunk | undefined {
    while (true) {
      const [name] = this.#names
      if (name === undefined) return undefined
      this.#segment ??= openSegment(this.#files, name)
      const segment = this.#segment
      if (segment.unread > 0) {
        const { lines, end, torn } = segment.next()
        // Nobody adds to it, so there is nothing to wait for.
        return { lines, end, torn, isCut: true, done: () => segment.done(end) }
      }
      segment.close()
      this.#segment = undefined
      this.#files.remove(name)
      this.#names.shift()
    }
  }

  /** Lets go of what is left, for somebody else or for later. */
  release(): void {
    this.#segment?.close()
    this.#segment = undefined
    this.#lock.release({ remove: this.#names.length === 0 })
  }
}

/** Takes over every journal that no living process owns. */
export function findOrphans(files: JournalFiles): readonly Orphan[] {
  return [...ownersOf(files.list()).keys()].flatMap((owner) => {
    const lock = files.lock(lockName(owner))
    if (!lock) return []
    // Listed again, because its owner may have been alive a moment ago.
    const names = ownersOf(files.list()).get(owner) ?? []
    if (names.length > 0) return [new Orphan(files, lock, names)]
    lock.release({ remove: true })
    return []
  })
}

function openSegment(files: JournalFiles, name: string): Segment {
  const file = files.open(name)
  return new Segment(name, file, file.size())
}
