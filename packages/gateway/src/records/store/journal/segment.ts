import type { JournalFile } from './journal-files.ts'

/** One file of a journal, written at its end and read from its start. */
export class Segment {
  readonly name: string
  readonly #file: JournalFile
  #size: number
  #read = 0
  #reviewEnd = 0

  constructor(name: string, file: JournalFile, size: number) {
    this.name = name
    this.#file = file
    this.#size = size
  }

  get size(): number {
    return this.#size
  }

  get unread(): number {
    return this.#size - this.#read
  }

  /** Whether the next lines were written under earlier settings. */
  get needsReview(): boolean {
    return this.#read < this.#reviewEnd
  }

  /** The settings of what is stored have changed. */
  review(): void {
    this.#reviewEnd = this.#size
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

  /** The position of all unread lines; undefined if no other thread may read them as they are. */
  get place(): LinePlace | undefined {
    const { descriptor } = this.#file
    return descriptor === undefined || this.needsReview ? undefined : { descriptor, from: this.#read, to: this.#size }
  }

  /** The oldest unread lines. */
  next(): Lines {
    return readLines(this.#file, this.#read, this.needsReview ? this.#reviewEnd : this.#size)
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
    this.#reviewEnd = 0
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

/** Lines waiting to be written to the database; read only when asked for. */
export class Chunk {
  /** The position of these and all later lines, if another thread may read them as they are. */
  readonly place: LinePlace | undefined
  /** Whether this process wrote the lines under the current settings. */
  readonly isCurrent: boolean
  readonly #segment: Segment
  readonly #options: { readonly hasMore: boolean; readonly done: (end: number) => void }
  #lines: Lines | undefined

  /** `hasMore` tells whether lines follow those of the segment; `done` discards lines up to a position. */
  constructor(segment: Segment, options: { readonly hasMore: boolean; readonly done: (end: number) => void }) {
    this.#segment = segment
    this.#options = options
    this.place = segment.place
    this.isCurrent = !segment.needsReview
  }

  get lines(): readonly string[] {
    return this.#read().lines
  }

  /** Whether the file ends within a line, which was never acknowledged. */
  get torn(): boolean {
    return this.#read().torn
  }

  /** Whether more lines follow at once, so that waiting for others does not pay. */
  get isCut(): boolean {
    return this.#options.hasMore || (this.#lines?.end ?? this.#segment.size) < this.#segment.size
  }

  /** Discards the lines once they are in the database; all lines of the position if they were not read here. */
  done(): void {
    this.#options.done(this.#lines?.end ?? this.place?.to ?? this.#read().end)
  }

  #read(): Lines {
    this.#lines ??= this.#segment.next()
    return this.#lines
  }
}

/** A source of lines for the database. */
export interface ChunkSource {
  /** The oldest waiting lines; undefined when there are none. */
  next(): Chunk | undefined
}

/** The position of whole lines in a file that this process has open. */
export interface LinePlace {
  readonly descriptor: number
  readonly from: number
  readonly to: number
}

/** Whole lines of a journal. */
export interface Lines {
  readonly lines: readonly string[]
  /** Where the next lines begin. */
  readonly end: number
  /** Whether the file ends within a line, which was never acknowledged. */
  readonly torn: boolean
}

const chunkBytes = 256 * 1024
const longestLine = 64 * 1024 * 1024
const lineBreak = 10

/** Reads whole lines between two positions, about 256 KB, or one line if it is longer. */
export function readLines(file: JournalFile, from: number, to: number): Lines {
  for (let wanted = chunkBytes; ; wanted *= 4) {
    const buffer = Buffer.allocUnsafe(Math.min(wanted, to - from))
    const length = file.read(buffer, from)
    const last = buffer.subarray(0, length).lastIndexOf(lineBreak)
    const isWhole = length >= wanted
    if (last >= 0) {
      const lines = buffer.toString('utf8', 0, last).split('\n')
      return { lines, end: isWhole ? from + last + 1 : to, torn: !isWhole && last < length - 1 }
    }
    if (!isWhole) return { lines: [], end: to, torn: length > 0 }
    // No record is that long: the rest is treated as another, unreadable line.
    if (wanted >= longestLine) return { lines: [''], end: from + length, torn: false }
  }
}
