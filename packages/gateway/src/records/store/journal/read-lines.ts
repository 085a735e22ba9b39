import type { JournalFile } from './journal-files.ts'

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
    const lines = last < 0 ? [] : buffer.toString('utf8', 0, last).split('\n')
    if (length < wanted) return { lines, end: to, torn: last < length - 1 }
    if (last >= 0) return { lines, end: from + last + 1, torn: false }
    // No record is that long: the rest of it is one more line that means nothing.
    if (wanted >= longestLine) return { lines: [''], end: from + length, torn: false }
  }
}
