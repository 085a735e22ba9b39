import type { Issue } from '@stickler/core'
import { compiled } from '../../run/compiled.ts'
import { type PlacedColumn, runColumns } from '../../run/run-columns.ts'
import type { RunRecord } from '../../run/run-record.ts'
import type { RunCounts } from '../../run/stored-record.ts'
import type { Tables } from './tables.ts'
import { type ColumnValue, columnValues, isGiven, name, sentence, whole } from './values.ts'

type MakeRow = (run: RunRecord, counts: RunCounts, attempts: string) => ColumnValue[]

const valueCodes = runColumns.map(valueCode)

/** Code for the value of a column. */
function valueCode({ member, part, list, kind, optional, isNullable }: PlacedColumn): string {
  if (list !== undefined) return list === 'packed' ? 'attempts' : `whole(counts.${member})`
  const value = part === undefined ? `run.${member}` : `run.${member}.${part}`
  if (!isNullable) return `${kind}(${value})`
  // An empty list is null, and so is an absent member, alone or in its group.
  if (part === undefined) return `${optional ? `${value} == null` : `${value}.length === 0`} ? null : ${kind}(${value})`
  return `run.${member} == null ${optional ? `|| ${value} == null` : ''} ? null : ${kind}(${value})`
}

/** The row of a run, with its attempts as JSON. */
const runRow = compiled<MakeRow>('run, counts, attempts', `[${valueCodes}]`, columnValues, generalRow)

/** The same without compiled code. */
export function generalRow(run: RunRecord, counts: RunCounts, attempts: string): ColumnValue[] {
  return runColumns.map(({ member, part, list, kind, optional, isNullable }) => {
    if (list !== undefined) return list === 'packed' ? attempts : whole(counts[member as keyof RunCounts])
    const all = run[member as keyof RunRecord] as unknown
    if (isNullable && (!isGiven(all) || (Array.isArray(all) && all.length === 0 && !optional))) return null
    const value = part === undefined ? all : (all as Readonly<Record<string, unknown>>)[part]
    return optional && !isGiven(value) ? null : columnValues[kind](value)
  })
}

/** Where an issue was found. */
export type IssueKind = 'attempt' | 'remaining' | 'fixed'

type Columns<Table, Source> = Readonly<Record<keyof Table, (source: Source) => ColumnValue>>

/** A part of a run, with its run. */
interface Part<Of> {
  readonly run: RunRecord
  readonly position: number
  readonly of: Of
}

/** An issue with its run. */
interface IssuePart extends Part<Issue> {
  readonly kind: IssueKind
  readonly attempt: number
  readonly leads: boolean
}

/** The values of the columns of `issues`. */
export const issueColumns: Columns<Tables['issues'], IssuePart> = {
  run_id: ({ run }) => run.id,
  position: ({ position }) => position,
  kind: ({ kind }) => kind,
  attempt: ({ attempt }) => attempt,
  at: ({ run }) => whole(run.at),
  validator: ({ of }) => name(of.validator),
  code: ({ of }) => name(of.code),
  severity: ({ of }) => name(of.severity),
  leads: ({ leads }) => (leads ? 1 : 0),
  message: ({ of }) => sentence(of.message),
  detail: ({ of: { hint, span, path, suggestion } }) => {
    const none = hint === undefined && span === undefined && path === undefined && suggestion === undefined
    return none ? null : JSON.stringify({ hint, span, path, suggestion })
  },
}

/** The values of the columns of `repairs`. */
export const repairColumns: Columns<Tables['repairs'], Part<RunRecord['repairs'][number]>> = {
  run_id: ({ run }) => run.id,
  position: ({ position }) => position,
  rule: ({ of }) => name(of.rule),
  class: ({ of }) => name(of.class),
  detail: ({ of }) => JSON.stringify(of),
  at: ({ run }) => whole(run.at),
}

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
  const add = (kind: IssueKind, attempt: number, issues: readonly Issue[]) => {
    for (const of of issues) {
      const before = seen.size
      seen.add(`${of.validator}\n${of.code}\n${of.severity}`)
      const leads = seen.size > before
      // Attempts have all their issues; these rows are for searching by code.
      if (leads || kind !== 'attempt') parts.push({ run, position, of, kind, attempt, leads })
      position++
    }
  }
  for (const attempt of run.attempts) add('attempt', whole(attempt.number), attempt.issues)
  add('remaining', 0, run.issues)
  add('fixed', 0, run.fixed)
  return parts
}
