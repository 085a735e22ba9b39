import type { TableRows } from '../rows/table-rows.ts'
import { InsertStatements } from './insert-statements.ts'
import type { OpenDatabase } from './sqlite-database.ts'

/** Makes the function that writes rows within a transaction of SQLite; past kysely, since what it does for each statement costs as much as the statement. */
export function insertRows(database: OpenDatabase): (tables: readonly TableRows[]) => void {
  const statements = new InsertStatements((number) => `?${number}`)
  return (tables) => {
    for (const rows of tables) for (const { text, values } of statements.of(rows)) database.write(text, values)
  }
}
