import { insertRows } from '../engine/insert-statements.ts'
import { type OpenDatabase, rollBack } from '../engine/sqlite-database.ts'
import { diskFile } from '../journal/disk-files.ts'
import { type LinePlace, readLines } from '../journal/segment.ts'
import { readEntry, tableRows } from '../rows/entry.ts'

/** Makes the function that writes lines of a journal into a SQLite file and returns their number; it blocks while other writers are active, so it runs in a separate thread. */
export function insertLines(database: OpenDatabase, batchRecords: number): (place: LinePlace) => number {
  const insert = insertRows(database)
  const write = (lines: readonly string[]): void => {
    const entries = lines.map(readEntry)
    database.exec('begin immediate')
    try {
      insert(tableRows(entries))
      database.exec('commit')
    } catch (error) {
      rollBack(database)
      throw error
    }
  }
  return ({ descriptor, from, to }) => {
    const file = diskFile(descriptor)
    let written = 0
    for (let position = from; position < to; ) {
      const { lines, end, torn } = readLines(file, position, to)
      // The file was changed by another process; the caller counts that.
      if (torn || lines.length === 0) throw new TypeError('the file ends too early')
      for (let start = 0; start < lines.length; start += batchRecords) write(lines.slice(start, start + batchRecords))
      written += lines.length
      position = end
    }
    return written
  }
}
