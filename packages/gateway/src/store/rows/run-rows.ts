import type { Issue } from '@stickler/core'
import type { KeptRun } from '../../record/kept-record.ts'
import type { IssuesTable } from '../engine/tables.ts'
import { attemptColumns, type IssuePart, issueColumns, repairColumns, runColumns } from './columns.ts'
import { type ColumnValue, whole } from './values.ts'

/** The values of one row. */
export type Row = readonly ColumnValue[]

/** The rows of one run, each in the order of the columns. */
export interface RunRows {
  readonly runs: readonly Row[]
  readonly attempts: readonly Row[]
  readonly issues: readonly Row[]
  readonly repairs: readonly Row[]
}

const fillRun = Object.values(runColumns)
const fillAttempt = Object.values(attemptColumns)
const fillIssue = Object.values(issueColumns)
const fillRepair = Object.values(repairColumns)

/** Turns a run that was read from a journal into rows; throws when it is none. */
export function runRows(run: KeptRun): RunRows {
  return {
    runs: [fillRun.map((fill) => fill(run))],
    attempts: run.attempts.map((of, position) => fillAttempt.map((fill) => fill({ run, position, of }))),
    issues: issueParts(run).map((part) => fillIssue.map((fill) => fill(part))),
    repairs: run.repairs.map((of, position) => fillRepair.map((fill) => fill({ run, position, of }))),
  }
}

function issueParts(run: KeptRun): IssuePart[] {
  const parts: IssuePart[] = []
  const seen = new Set<string>()
  const add = (kind: IssuesTable['kind'], attempt: number, issues: readonly Issue[]) => {
    for (const of of issues) {
      const before = seen.size
      seen.add(`${of.validator}\n${of.code}\n${of.severity}`)
      parts.push({ run, position: parts.length, of, kind, attempt, leads: seen.size > before })
    }
  }
  for (const attempt of run.attempts) add('attempt', whole(attempt.number), attempt.issues)
  add('remaining', 0, run.issues)
  add('fixed', 0, run.fixed)
  return parts
}
