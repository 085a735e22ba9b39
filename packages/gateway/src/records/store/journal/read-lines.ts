import type { JournalFile } from './journal-files.ts'

/** Whole lines of a journal. */
export interface Lines {
  /** The same lines as they stand in the file, without the last line break; absent where they need not be read. */
  readonly bytes?: Uint8Array
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
    if (last >= 0) return linesOf(buffer.subarray(0, last), isWhole ? from + last + 1 : to, !isWhole && last < length - 1)
    if (!isWhole) return { lines: [], end: to, torn: length > 0 }
    // No record is that long: the rest of it is one more line that means nothing.
    if (wanted >= longestLine) return { lines: [''], end: from + length, torn: false }
  }
}

/** Split only when asked for: where a thread takes the bytes nobody does. */
function linesOf(bytes: Buffer, end: number, torn: boolean): Lines {
  let lines: readonly string[] | undefined
  return {
    bytes,
    get lines() {
      lines ??= bytes.toString().split('\n')
      return lines
    },
    end,
    torn,
  }
}
