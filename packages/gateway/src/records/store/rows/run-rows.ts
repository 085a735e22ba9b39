import type { Issue } from '@stickler/core'
import type { RunCounts } from '../../run/kept-record.ts'
import type { RunRecord } from '../../run/run-record.ts'
import type { IssuesTable } from '../engine/tables.ts'
import { type IssuePart, issueColumns, repairColumns } from './columns.ts'
import { runRow } from './run-row.ts'
import { type ColumnValue, whole } from './values.ts'

/** The values of one row. */
export type Row = readonly ColumnValue[]

/** The rows of one run, each in the order of the columns. */
export interface RunRows {
  readonly run: Row
  readonly issues: readonly Row[]
  readonly repairs: readonly Row[]
}

const fillIssue = Object.values(issueColumns)
const fillRepair = Object.values(repairColumns)
const none: readonly Row[] = []

/** Turns a run into rows, with its attempts as JSON. */
export function runRows(run: RunRecord, counts: RunCounts, attempts: string): RunRows {
  const { repairs } = run
  return {
    run: runRow(run, counts, attempts),
    issues: hasIssues(run) ? issueParts(run).map((part) => fillIssue.map((fill) => fill(part))) : none,
    repairs: repairs.length === 0 ? none : repairs.map((of, position) => fillRepair.map((fill) => fill({ run, position, of }))),
  }
}

function hasIssues({ attempts, issues, fixed }: RunRecord): boolean {
  for (const attempt of attempts) if (attempt.issues.length > 0) return true
  return issues.length > 0 || fixed.length > 0
}

function issueParts(run: RunRecord): IssuePart[] {
  const parts: IssuePart[] = []
  const seen = new Set<string>()
  let position = 0
  const add = (kind: IssuesTable['kind'], attempt: number, issues: readonly Issue[]) => {
    for (const of of issues) {
      const before = seen.size
      seen.add(`${of.validator}\n${of.code}\n${of.severity}`)
      const leads = seen.size > before
      // All issues of an attempt stand with it; here they are found by their code.
      if (leads || kind !== 'attempt') parts.push({ run, position, of, kind, attempt, leads })
      position++
    }
  }
  for (const attempt of run.attempts) add('attempt', whole(attempt.number), attempt.issues)
  add('remaining', 0, run.issues)
  add('fixed', 0, run.fixed)
  return parts
}
