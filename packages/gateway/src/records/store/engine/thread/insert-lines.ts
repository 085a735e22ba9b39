import { readWritten } from '../../rows/read-written.ts'
import { tableRows } from '../../rows/table-rows.ts'
import { insertRows } from '../insert-statements.ts'
import { type OpenDatabase, rollBack } from '../sqlite-database.ts'

/** Makes the function that writes lines of a journal into a file of SQLite and tells how many there were; it waits for other writers, so it is for a thread of its own. */
export function insertLines(database: OpenDatabase, batchRecords: number): (lines: Uint8Array) => number {
  const insert = insertRows(database)
  return (bytes) => {
    const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString().split('\n')
    for (let start = 0; start < lines.length; start += batchRecords) {
      const records = lines.slice(start, start + batchRecords).map((line) => ({ entry: readWritten(line) }))
      database.exec('begin immediate')
      try {
        insert(tableRows(records))
        database.exec('commit')
      } catch (error) {
        rollBack(database)
        throw error
      }
    }
    return lines.length
  }
}
