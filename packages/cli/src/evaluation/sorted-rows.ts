import { closeSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRegularFile } from '@stickler/node/internal/files'
import { UsageError } from '../errors.ts'
import { openToAppend } from '../files/write-file.ts'
import { writeAll } from '../inputs/line-journal.ts'
import { readLines } from '../inputs/lines.ts'
import { compareNames } from './counter.ts'
import type { Row } from './row.ts'

const longestRow = 64 * 1024 * 1024

/** Sorts rows by their ids; what does not fit in memory is sorted in parts, in files. */
export class SortedRows {
  readonly #mostCharacters: number
  #rows: { readonly row: Row; readonly written: string }[] = []
  #characters = 0
  #folder: string | undefined
  readonly #parts: string[] = []

  constructor(mostCharacters = 16 * 1024 * 1024) {
    this.#mostCharacters = mostCharacters
  }

  /** Takes a row. */
  add(row: Row): void {
    const written = JSON.stringify(row)
    this.#rows.push({ row, written })
    this.#characters += written.length
    if (this.#characters >= this.#mostCharacters) this.#spill()
  }

  /** All rows in the order of their ids; throws a UsageError when two have the same. */
  async *read(): AsyncGenerator<Row> {
    let last: string | undefined
    for await (const row of this.#merge()) {
      if (row.id === last) throw new UsageError(`two answers have the id ${JSON.stringify(row.id)}, so they cannot be told apart`)
      last = row.id
      yield row
    }
  }

  /** Removes its files. */
  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true })
  }

  async *#merge(): AsyncGenerator<Row> {
    const sources = [...this.#parts.map(readPart), inMemory(this.#sorted())]
    const heads: { row: Row; readonly rest: AsyncIterator<Row> }[] = []
    for (const source of sources) {
      const rest = source[Symbol.asyncIterator]()
      const { value, done } = await rest.next()
      if (!done) heads.push({ row: value, rest })
    }
    while (heads.length > 0) {
      // The first of equal ones came first.
      const first = heads.reduce((best, head) => (compareNames(head.row.id, best.row.id) < 0 ? head : best))
      yield first.row
      const { value, done } = await first.rest.next()
      if (done) heads.splice(heads.indexOf(first), 1)
      else first.row = value
    }
  }

  #sorted(): readonly { readonly row: Row; readonly written: string }[] {
    return this.#rows.sort((a, b) => compareNames(a.row.id, b.row.id))
  }

  #spill(): void {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'stickler-rows-'))
    const part = join(this.#folder, `${this.#parts.length}.jsonl`)
    const descriptor = openToAppend(part)
    try {
      const rows = this.#sorted()
      for (let from = 0; from < rows.length; from += 1000)
        writeAll(
          descriptor,
          rows.slice(from, from + 1000).reduce((text, { written }) => `${text}${written}\n`, ''),
        )
    } finally {
      closeSync(descriptor)
    }
    this.#parts.push(part)
    this.#rows = []
    this.#characters = 0
  }
}

async function* inMemory(rows: readonly { readonly row: Row }[]): AsyncGenerator<Row> {
  for (const { row } of rows) yield row
}

async function* readPart(path: string): AsyncGenerator<Row> {
  const stream = (await openRegularFile(path)).createReadStream({ highWaterMark: 64 * 1024 })
  try {
    for await (const line of readLines(stream as AsyncIterable<Uint8Array>, longestRow))
      if ('text' in line) yield JSON.parse(line.text) as Row
  } finally {
    stream.destroy()
  }
}
