import type { JournalFile } from './journal-files.ts'

/** One file of a journal, written at its end and read from its beginning. */
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

  /** Whether the lines that come next were written under rules that no longer hold. */
  get needsReview(): boolean {
    return this.#read < this.#reviewEnd
  }

  /** From now on other rules hold for what is kept. */
  review(): void {
    this.#reviewEnd = this.#size
  }

  /** Adds bytes, all of them or none. */
  append(bytes: Uint8Array): void {
    try {
      this.#file.write(bytes, this.#size)
    } catch (error) {
      // Takes back a half-written line; if that fails too the next write covers it, and a reader skips it.
      this.#cut(this.#size)
      throw error
    }
    this.#size += bytes.length
  }

  /** Where the lines begin that have not been read. */
  get position(): number {
    return this.#read
  }

  /** Where all lines stand that have not been read; nothing where no other thread may have them as they stand there. */
  get place(): LinePlace | undefined {
    const { descriptor } = this.#file
    return descriptor === undefined || this.needsReview ? undefined : { descriptor, from: this.#read, to: this.#size }
  }

  /** The oldest lines that have not been read, up to a position at most. */
  next(end = this.needsReview ? this.#reviewEnd : this.#size): Lines {
    return readLines(this.#file, this.#read, end)
  }

  /** What lies before a position is safe elsewhere. */
  done(end: number): void {
    this.#read = end
  }

  /** Makes an empty file of one that has been read to its end. */
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

/** Where whole lines stand in a file that this process has open. */
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

/** Reads whole lines between two positions, about 256 KB of them, or one if it is longer than that. */
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
    // No record is that long: the rest of it is one more line that means nothing.
    if (wanted >= longestLine) return { lines: [''], end: from + length, torn: false }
  }
}
