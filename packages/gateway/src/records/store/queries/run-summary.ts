import type { Selectable } from 'kysely'
import { isGroup, isList, runColumns } from '../../run/run-columns.ts'
import {
  type Column,
  type Group,
  type Kind,
  type List,
  type RunColumn,
  type RunRecord,
  type RunSummary,
  runMembers,
} from '../../run/run-record.ts'
import type { Tables } from '../rows/tables.ts'

/** A row of `runs`. */
type RunRow = Selectable<Tables['runs']>

type Details = Omit<RunRecord, keyof RunSummary>
type DetailColumn = Extract<RunColumn, { readonly isDetail: true }>['column']

/** A row with the columns of a summary. */
export type SummaryRow = Omit<RunRow, DetailColumn>

/** The columns of a summary. */
export const summaryColumns = ['seq', ...runColumns.filter(({ isDetail }) => !isDetail).map(({ column }) => column)].map(
  (column) => `runs.${column}`,
) as readonly `runs.${Exclude<keyof RunRow, DetailColumn>}`[]

const members = Object.entries<Column | Group | List>(runMembers)
const isOfDetail = ([, member]: (typeof members)[number]) => 'isDetail' in member
const shown = members.filter((one) => !isOfDetail(one))
const details = members.filter(isOfDetail)

/** Reads a row of `runs`. */
export function runSummary(row: SummaryRow): RunSummary {
  return readMembers(row, shown) as RunSummary
}

/** Reads the details that a summary omits. */
export function runDetails(row: RunRow): Details {
  return readMembers(row, details) as Details
}

function readMembers(row: Readonly<Record<string, unknown>>, of: typeof members): object {
  const object: Record<string, unknown> = {}
  for (const [key, member] of of) {
    const value = isGroup(member) ? readGroup(row, member) : readColumn(row, isList(member) ? member.count : member)
    if (value !== undefined) object[key] = value
  }
  return object
}

/** A group is present if its first member is. */
function readGroup(row: Readonly<Record<string, unknown>>, { parts, optional }: Group): object | undefined {
  const [first] = Object.values(parts)
  return optional && first !== undefined && row[first.column] === null ? undefined : readMembers(row, Object.entries(parts))
}

function readColumn(row: Readonly<Record<string, unknown>>, { column, kind, optional }: Column): unknown {
  const value = row[column]
  if (value === null) return optional ? undefined : []
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
