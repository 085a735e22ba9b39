import type { Kysely } from 'kysely'
import type { Tables } from '../engine/tables.ts'
import { attemptColumns, issueColumns, repairColumns, runColumns } from './columns.ts'
import type { RowInserter } from './insert-rows.ts'
import type { Row, RunRows } from './run-rows.ts'

/** What one line of a journal becomes. */
export type Entry = { readonly kind: 'run'; readonly rows: RunRows } | { readonly kind: 'audit'; readonly row: Row }

// Runs come first: everything else refers to them.
const tables = [
  ['runs', Object.keys(runColumns)],
  ['attempts', Object.keys(attemptColumns)],
  ['issues', Object.keys(issueColumns)],
  ['repairs', Object.keys(repairColumns)],
] as const

/** Writes entries inside a transaction; those that are there already stay as they are. */
export async function writeEntries(db: Kysely<Tables>, inserter: RowInserter, entries: readonly Entry[]): Promise<void> {
  for (const [table, columns] of tables) {
    const rows = entries.flatMap((entry) => (entry.kind === 'run' ? entry.rows[table] : []))
    await inserter.insert(db, table, columns, rows)
  }
  const audit = entries.flatMap((entry) => (entry.kind === 'audit' ? [entry.row] : []))
  await inserter.insert(db, 'audit', ['id', 'at', 'row'], audit)
}
