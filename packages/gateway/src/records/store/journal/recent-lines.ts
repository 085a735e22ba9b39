import type { Entry } from '../rows/table-rows.ts'
import type { Lines } from './segment.ts'

/** Lines that were written together: their text, and what each of them says as far as that is known. */
export interface LineBatch {
  /** Each line with its line break. */
  readonly text: string
  readonly entries: readonly (Entry | undefined)[]
}

/** Lines that need not be read from their file. */
export interface KnownLines extends Lines {
  readonly entries: readonly (Entry | undefined)[]
}

interface Written extends LineBatch {
  /** The file they are in. */
  readonly file: object
  readonly start: number
  readonly end: number
}

const limitBytes = 4 * 1024 * 1024
const chunkBytes = 256 * 1024

/** The newest lines of a journal, so that they need not be read back and parsed; what does not fit is in the files anyway. */
export class RecentLines {
  #batches: Written[] = []
  #bytes = 0

  /** Keeps lines that were written to a file; when they are too many, all before them are forgotten. */
  add(file: object, start: number, end: number, { text, entries }: LineBatch): void {
    if (this.#bytes + end - start > limitBytes) {
      this.clear()
      if (end - start > limitBytes) return
    }
    this.#batches.push({ file, start, end, text, entries })
    this.#bytes += end - start
  }

  /** Where the lines of a file begin that are still known; nothing when none are. */
  start(file: object): number | undefined {
    const [first] = this.#batches
    return first?.file === file ? first.start : undefined
  }

  /** The oldest lines of a file. */
  read(file: object): KnownLines {
    const texts: string[] = []
    const entries: (Entry | undefined)[] = []
    let end = 0
    let bytes = 0
    for (const batch of this.#batches) {
      if (batch.file !== file || bytes >= chunkBytes) break
      texts.push(batch.text)
      for (const entry of batch.entries) entries.push(entry)
      end = batch.end
      bytes += batch.end - batch.start
    }
    let lines: readonly string[] | undefined
    return {
      // Seldom asked for: what a line says is known.
      get lines() {
        lines ??= texts.join('').split('\n').slice(0, -1)
        return lines
      },
      entries,
      end,
      torn: false,
    }
  }

  /** Forgets all lines. */
  clear(): void {
    this.#batches = []
    this.#bytes = 0
  }

  /** Forgets the lines of a file up to a position. */
  forget(file: object, end: number): void {
    let count = 0
    for (const batch of this.#batches) {
      if (batch.file !== file || batch.end > end) break
      this.#bytes -= batch.end - batch.start
      count++
    }
    this.#batches.splice(0, count)
  }
}
