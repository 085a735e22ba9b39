import { type Column, type Group, type Kind, type List, type Members, type RunColumn, runMembers } from './run-record.ts'

/** A column of a run, which has null for an absent member, alone or in its group, and for an empty list that is JSON. */
interface PlacedColumn extends Column {
  readonly isNullable: boolean
}

const wide: ReadonlySet<Kind> = new Set(['sentence', 'text', 'names', 'json'])

/** The columns of a run, in the order of a row: wide texts come last, so that scans of numbers need not read them. */
export const runColumns: readonly PlacedColumn[] = columnsOf(runMembers).sort((a, b) => Number(wide.has(a.kind)) - Number(wide.has(b.kind)))

function columnsOf(members: Members): PlacedColumn[] {
  return Object.values(members).flatMap((of): PlacedColumn[] => {
    if (isGroup(of)) return Object.values(of.parts).map((part) => ({ ...part, isNullable: of.optional === true || part.optional === true }))
    if (!isList(of)) return [{ ...of, isNullable: of.optional === true || of.kind === 'json' }]
    const count = { ...of.count, isNullable: false }
    return of.packed === undefined ? [count] : [count, { ...of.packed, isNullable: true }]
  })
}

/** Whether a member is an object of columns. */
export function isGroup(member: Column | Group | List): member is Group {
  return 'parts' in member
}

/** Whether a member is a list. */
export function isList(member: Column | Group | List): member is List {
  return 'count' in member
}

/** The values that the columns of each kind have. */
export type StoredType = 'text' | 'integer' | 'real'

/** The database type of the columns of a kind. */
const storedTypes = {
  name: 'text',
  sentence: 'text',
  text: 'text',
  names: 'text',
  json: 'text',
  whole: 'integer',
  flag: 'integer',
  mark: 'integer',
  real: 'real',
} as const satisfies Record<Kind, StoredType>

type Empty<Of> = Of extends { readonly optional: true } | { readonly kind: 'json' } ? '?' : ''

/** The types of the columns of a run as a table describes them. */
type RunColumnTypes = { readonly [Of in RunColumn as Of['column']]: `${(typeof storedTypes)[Of['kind']]}${Empty<Of>}` }

/** The types of the columns of a run; the types of nullable columns end with a question mark. */
export const runColumnTypes = Object.fromEntries(
  runColumns.map(({ column, kind, isNullable }) => [column, `${storedTypes[kind]}${isNullable ? '?' : ''}`]),
) as RunColumnTypes
