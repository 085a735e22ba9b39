import type { KeptRun } from '../../run/kept-record.ts'
import { readPlain } from './read-plain.ts'
import { runRows } from './run-row.ts'
import type { Entry } from './table-rows.ts'
import { whole } from './values.ts'
import { writeAttempts } from './write-json.ts'

/** The record in one line of a journal. */
export interface LineContent {
  readonly run?: KeptRun
  readonly audit?: { readonly id: string; readonly at: number; readonly row: object }
}

/** Reads a line that this process wrote under the current settings, so that no text must be removed; throws for any other line. */
export function readWritten(line: string): Entry {
  const plain = readPlain(line)
  return plain === undefined ? readAny(line) : { kind: 'run', rows: { run: plain, issues: none, repairs: none } }
}

const none: readonly never[] = []

/** Reads any line as JSON. */
export function readAny(line: string): Entry {
  const { run, audit } = JSON.parse(line) as LineContent
  if (run !== undefined) return { kind: 'run', rows: runRows(run, run.counts, writeAttempts(run.attempts)) }
  if (audit === undefined) throw new TypeError('a line holds a run or an audit row')
  return { kind: 'audit', row: [audit.id, whole(audit.at), JSON.stringify(audit.row)] }
}
