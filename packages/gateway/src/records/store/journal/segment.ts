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

  /** The position of the first unread line. */
  get position(): number {
    return this.#read
  }

  /** The position of all unread lines; undefined if no other thread may read them as they are. */
  get place(): LinePlace | undefined {
    const { descriptor } = this.#file
    return descriptor === undefined || this.needsReview ? undefined : { descriptor, from: this.#read, to: this.#size }
  }

  /** The oldest unread lines, up to a position. */
  next(end = this.needsReview ? this.#reviewEnd : this.#size): Lines {
    return readLines(this.#file, this.#read, end)
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
