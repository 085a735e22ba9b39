import type { Certificate, Issue } from '@stickler/core'
import type { Selectable } from 'kysely'
import { isGroup, isList, runColumns } from '../../run/run-columns.ts'
import {
  type AttemptRecord,
  type Column,
  type Group,
  type Kind,
  type List,
  type RunColumn,
  type RunRecord,
  type RunSummary,
  runMembers,
} from '../../run/run-record.ts'
import { type KeptRun, readNodes } from '../../run/stored-record.ts'
import type { IssueKind } from './entry.ts'
import type { LabelColumn, Tables } from './tables.ts'
import { isGiven } from './values.ts'

/** A row of `runs`. */
type RunRow = Selectable<Tables['runs']>

/** A row from a line, or from the database with its nulls. */
type StoredRow = Readonly<Record<string, unknown>>

type Details = Omit<RunRecord, keyof RunSummary>
type DetailColumn = Extract<RunColumn, { readonly isDetail: true }>['column']

/** A row with the columns of a summary. */
export type SummaryRow = Omit<RunRow, DetailColumn | LabelColumn>

/** The columns of a summary. */
export const summaryColumns = ['seq', ...runColumns.filter(({ isDetail }) => !isDetail).map(({ column }) => column)].map(
  (column) => `runs.${column}`,
) as readonly `runs.${keyof SummaryRow}`[]

const members = Object.entries<Column | Group | List>(runMembers)
const isOfDetail = ([, member]: (typeof members)[number]) => 'isDetail' in member
const shown = members.filter((one) => !isOfDetail(one))
const details = members.filter(isOfDetail)

/** Reads a row of `runs`. */
export function runSummary(row: SummaryRow): RunSummary {
  return readMembers(row, shown) as RunSummary
}

/** Reads a run with all that is stored of it, from its rows in a line or in the database. */
export function readRun(row: StoredRow, issues: readonly StoredRow[], repairs: readonly StoredRow[]): KeptRun {
  const read = readMembers(row, shown) as RunSummary
  const ofKind = (kind: IssueKind) => issues.filter((issue) => issue.kind === kind).map(readIssue)
  const pipeline = readNodes(String(row.pipeline ?? null))
  return {
    ...read,
    attempts: JSON.parse(String(row.attempts ?? '[]')) as AttemptRecord[],
    issues: ofKind('remaining'),
    fixed: ofKind('fixed'),
    repairs: repairs.map(({ detail }) => JSON.parse(String(detail)) as Certificate),
    ...(readMembers({ ...row, pipeline: null }, details) as Details),
    ...(pipeline && { pipeline }),
    counts: { attempts: read.attempts, issues: read.issues, fixed: read.fixed, repairs: read.repairs },
  }
}

function readIssue({ code, severity, validator, message, detail }: StoredRow): Issue {
  const issue = { code, severity, validator, message } as Issue
  return isGiven(detail) ? { ...issue, ...(JSON.parse(String(detail)) as Partial<Issue>) } : issue
}

function readMembers(row: StoredRow, of: typeof members): object {
  const object: Record<string, unknown> = {}
  for (const [key, member] of of) {
    const value = isGroup(member) ? readGroup(row, member) : readColumn(row, isList(member) ? member.count : member)
    if (value !== undefined) object[key] = value
  }
  return object
}

/** A group is present if its first member is. */
function readGroup(row: StoredRow, { parts, optional }: Group): object | undefined {
  const [first] = Object.values(parts)
  return optional && first !== undefined && !isGiven(row[first.column]) ? undefined : readMembers(row, Object.entries(parts))
}

function readColumn(row: StoredRow, { column, kind, optional }: Column): unknown {
  const value = row[column]
  if (!isGiven(value)) return optional ? undefined : []
  return (readers[kind] ?? same)(value)
}

const same = (value: unknown): unknown => value
const isOne = (value: unknown): boolean => value === 1
const readers: Readonly<Partial<Record<Kind, (value: unknown) => unknown>>> = { flag: isOne, mark: isOne, names: readFacts, json: parsed }

/** Reads the facts of a run; none if the column was written by hand. */
export function readFacts(column: unknown): NonNullable<RunRecord['facts']> {
  return (parsed(column) ?? {}) as NonNullable<RunRecord['facts']>
}

function parsed(column: unknown): unknown {
  try {
    return JSON.parse(String(column))
  } catch {
    return undefined
  }
}
