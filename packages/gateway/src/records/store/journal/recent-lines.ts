import type { Entry } from '../rows/table-rows.ts'
import type { Lines } from './segment.ts'

/** Lines written together: their text, and their parsed records as far as known. */
interface LineBatch {
  /** Each line with its line break. */
  readonly text: string
  readonly entries: readonly (Entry | undefined)[]
}

/** Lines that need not be read from their file. */
interface KnownLines extends Lines {
  readonly entries: readonly (Entry | undefined)[]
}

interface Written extends LineBatch {
  /** The file of the lines. */
  readonly file: object
  readonly start: number
  readonly end: number
}

const limitBytes = 4 * 1024 * 1024
const chunkBytes = 256 * 1024

/** A cache of the newest lines of a journal, so that they need not be read back and parsed; all lines are in the files too. */
export class RecentLines {
  #batches: Written[] = []
  #bytes = 0

  /** Caches lines that were written to a file; when there are too many, all earlier ones are dropped. */
  add(file: object, start: number, end: number, { text, entries }: LineBatch): void {
    if (this.#bytes + end - start > limitBytes) {
      this.clear()
      if (end - start > limitBytes) return
    }
    this.#batches.push({ file, start, end, text, entries })
    this.#bytes += end - start
  }

  /** The position of the first cached line of a file; undefined without one. */
  start(file: object): number | undefined {
    const [first] = this.#batches
    return first?.file === file ? first.start : undefined
  }

  /** The oldest cached lines of a file. */
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
      // Rarely called, because the parsed records are cached too.
      get lines() {
        lines ??= texts.join('').split('\n').slice(0, -1)
        return lines
      },
      entries,
      end,
      torn: false,
    }
  }

  /** Drops all lines. */
  clear(): void {
    this.#batches = []
    this.#bytes = 0
  }

  /** Drops the lines of a file up to a position. */
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
