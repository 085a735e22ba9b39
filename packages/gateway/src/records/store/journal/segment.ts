import type { JournalFile } from './journal-files.ts'

/** One file of a journal, written at its end and read from its start. */
export class Segment {
  readonly name: string
  /** Whether its lines are written under the current settings of what is stored. */
  isCurrent: boolean
  readonly #file: JournalFile
  #size: number
  #read = 0

  constructor(name: string, file: JournalFile, { size, isCurrent }: { readonly size: number; readonly isCurrent: boolean }) {
    this.name = name
    this.#file = file
    this.#size = size
    this.isCurrent = isCurrent
  }

  get size(): number {
    return this.#size
  }

  get unread(): number {
    return this.#size - this.#read
  }

  /** The settings have changed: it takes no more lines. */
  review(): void {
    this.isCurrent = this.#size === 0
  }

  /** Appends bytes, all of them or none. */
  append(bytes: Uint8Array): void {
    try {
      this.#file.write(bytes, this.#size)
    } catch (error) {
      // Removes a half-written line; if that fails too, the next write overwrites it, and a reader skips it.
      this.#cut(this.#size)
      throw error
    }
    this.#size += bytes.length
  }

  /** The oldest unread lines; `done` is called with where they end once they are in the database. */
  next(done: (end: number) => void, isLast = false): Chunk {
    const { bytes, end, torn } = readLines(this.#file, this.#read, this.#size)
    return { bytes, torn, isCurrent: this.isCurrent, isCut: !isLast || end < this.#size, done: () => done(end) }
  }

  /** Marks everything before a position as stored in the database. */
  done(end: number): void {
    this.#read = end
  }

  /** Empties a file that has been read to its end. */
  reset(): void {
    if (!this.#cut(0)) return
    this.#size = 0
    this.#read = 0
    this.isCurrent = true
  }

  close(): void {
    this.#file.close()
  }

  #cut(size: number): boolean {
    try {
      this.#file.truncate(size)
      return true
    } catch {
      return false
    }
  }
}

/** Lines waiting to be written to the database. */
export interface Chunk extends Pick<Lines, 'bytes' | 'torn'> {
  /** Whether this process wrote the lines under the current settings. */
  readonly isCurrent: boolean
  /** Whether more lines follow at once, so that waiting for others does not pay. */
  readonly isCut: boolean
  /** Discards the lines once they are in the database. */
  done(): void
}

/** A source of lines for the database. */
export interface ChunkSource {
  /** The oldest waiting lines; undefined when there are none. */
  next(): Chunk | undefined
}

/** Whole lines of a journal. */
interface Lines {
  readonly bytes: Uint8Array
  /** Where the next lines begin. */
  readonly end: number
  /** Whether the file ends within a line, which was never acknowledged. */
  readonly torn: boolean
}

/** The lines in bytes that end with a line break; none in none. */
export function linesIn(bytes: Uint8Array): readonly string[] {
  return bytes.length === 0
    ? []
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length - 1)
        .toString()
        .split('\n')
}

const chunkBytes = 256 * 1024
const longestLine = 64 * 1024 * 1024
const lineBreak = 10

/** Reads whole lines between two positions, about 256 KB, or one line if it is longer. */
export function readLines(file: JournalFile, from: number, to: number): Lines {
  for (let wanted = chunkBytes; ; wanted *= 4) {
    // Of its own size, because the thread gets a copy of all of it.
    const buffer = Buffer.allocUnsafeSlow(Math.min(wanted, to - from))
    const length = file.read(buffer, from)
    const size = buffer.subarray(0, length).lastIndexOf(lineBreak) + 1
    const isWhole = length >= wanted
    if (size > 0) return { bytes: buffer.subarray(0, size), end: isWhole ? from + size : to, torn: !isWhole && size < length }
    if (!isWhole) return { bytes: buffer.subarray(0, 0), end: to, torn: length > 0 }
    // No record is that long: the rest is treated as another, unreadable line.
    if (wanted >= longestLine) return { bytes: Buffer.of(lineBreak), end: from + length, torn: false }
  }
}
