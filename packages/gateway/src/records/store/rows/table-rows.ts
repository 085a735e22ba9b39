import { runColumns } from '../../run/run-columns.ts'
import type { ShadowRecord, ShadowVerdict } from '../../run/run-record.ts'
import type { Row, RunRows } from './run-row.ts'
import { issueColumns, repairColumns } from './run-row.ts'
import type { Tables } from './tables.ts'
import { columnValues, whole } from './values.ts'

/** The rows of one line of a journal. */
export type Entry =
  | { readonly kind: 'run'; readonly rows: RunRows }
  | { readonly kind: 'audit'; readonly row: Row }
  | { readonly kind: 'shadow'; readonly row: Row }

/** A table and its columns. */
export interface TableShape {
  readonly table: keyof Tables
  /** In the order of the values of a row. */
  readonly columns: readonly string[]
  /** The last columns name an existing row, whose others are set; without any, rows are new. */
  readonly found?: number
}

/** Rows for one table. */
export interface TableRows {
  readonly shape: TableShape
  readonly rows: Row[]
}

const runs: TableShape = { table: 'runs', columns: runColumns.map(({ column }) => column) }
const issues: TableShape = { table: 'issues', columns: Object.keys(issueColumns) }
const repairs: TableShape = { table: 'repairs', columns: Object.keys(repairColumns) }
const shadowColumns = runColumns.filter(({ member }) => member === 'shadow')
const shadows: TableShape = { table: 'runs', columns: [...shadowColumns.map(({ column }) => column), 'id', 'at'], found: 2 }
const audit: TableShape = { table: 'audit', columns: ['id', 'at', 'row'] }

/** The row of a verdict that is added to a run. */
export function shadowRow({ id, at, verdict }: ShadowRecord): Row {
  return [...shadowColumns.map(({ part, kind }) => columnValues[kind](verdict[part as keyof ShadowVerdict])), id, whole(at)]
}

/** Groups the rows of records by table, runs first, because all others refer to them. */
export function tableRows(records: Iterable<{ readonly entry: Entry }>): readonly TableRows[] {
  const [ofRuns, ofIssues, ofRepairs, ofAudit, ofShadows]: [Row[], Row[], Row[], Row[], Row[]] = [[], [], [], [], []]
  for (const { entry } of records) {
    if (entry.kind === 'audit') ofAudit.push(entry.row)
    else if (entry.kind === 'shadow') ofShadows.push(entry.row)
    else {
      ofRuns.push(entry.rows.run)
      for (const row of entry.rows.issues) ofIssues.push(row)
      for (const row of entry.rows.repairs) ofRepairs.push(row)
    }
  }
  return [
    { shape: runs, rows: ofRuns },
    { shape: issues, rows: ofIssues },
    { shape: repairs, rows: ofRepairs },
    { shape: audit, rows: ofAudit },
    { shape: shadows, rows: ofShadows },
  ]
}
