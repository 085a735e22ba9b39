import type { ComponentChildren } from 'preact'
import type { Me, RunRow } from '../../api/types.ts'
import { Pill, Tag } from '../../components/pill.tsx'
import { Ago } from '../../components/time.tsx'
import type { Format } from '../../format/format.ts'
import { Value } from './value.tsx'

/** One column of the list. */
export interface RunColumn {
  readonly name: string
  readonly title: string
  /** Its least width in pixels. */
  readonly least: number
  /** Its part of the space that is left; without one its width is fixed. */
  readonly part?: number
  /** Where there is no space for all, those with the largest rank go first. */
  readonly rank: number
  readonly isNumber?: boolean
  cell(run: RunRow, format: Format): ComponentChildren
}

const named = (name: 'contract' | 'model' | 'key' | 'upstream' | 'api', title: string, rank: number, part = 1): RunColumn => ({
  ...{ name, title, rank, part, least: 64 },
  cell: (run) => <Value filter={name} value={run[name]} />,
})

/** All columns that can be chosen, in the order in which they are shown. */
export const runColumns: readonly RunColumn[] = [
  { name: 'status', title: 'Status', least: 100, rank: 0, cell: ({ status }) => <Pill status={status} /> },
  { name: 'time', title: 'Time', least: 74, rank: 1, cell: ({ at }) => <Ago at={at} /> },
  named('model', 'Model', 3, 1.1),
  named('contract', 'Contract', 5, 1.1),
  { name: 'question', title: 'Question', least: 110, part: 2.2, rank: 10, cell: ({ question }, format) => text(question, format) },
  { name: 'answer', title: 'Answer', least: 110, part: 2.2, rank: 4, cell: ({ answer }, format) => text(answer, format) },
  { name: 'codes', title: 'Issues', least: 100, part: 1.2, rank: 6, cell: ({ codes = [] }) => <Codes codes={codes} /> },
  named('key', 'Key', 11, 0.8),
  named('upstream', 'Upstream', 12, 0.8),
  named('api', 'API', 13, 0.6),
  {
    ...{ name: 'session', title: 'Session', least: 80, part: 0.9, rank: 14 },
    cell: ({ session }) => (session === undefined ? <None /> : <Value filter="session" value={session} />),
  },
  {
    name: 'classes',
    title: 'Repairs',
    least: 92,
    rank: 15,
    cell: ({ classes = [] }) => (classes.length === 0 ? <None /> : classes.map((one) => <Tag key={one}>{one}</Tag>)),
  },
  { name: 'reason', title: 'Reason', least: 90, part: 1, rank: 16, cell: ({ reason }, format) => text(reason, format) },
  { name: 'label', title: 'Label', least: 64, rank: 17, cell: ({ label }) => (label === undefined ? <None /> : <Tag>{label}</Tag>) },
  { name: 'attempts', title: 'Attempts', least: 60, rank: 8, isNumber: true, cell: ({ attempts }, format) => format.number(attempts) },
  { name: 'took', title: 'Took', least: 68, rank: 2, isNumber: true, cell: ({ ms }, format) => format.duration(ms) },
  {
    ...{ name: 'first', title: 'First text', least: 76, rank: 18, isNumber: true },
    cell: ({ firstTextMs, stream }, format) => (firstTextMs === undefined || !stream ? '–' : format.duration(firstTextMs)),
  },
  {
    ...{ name: 'tokens', title: 'Tokens', least: 60, rank: 9, isNumber: true },
    cell: ({ usage }, format) => format.number(usage.promptTokens + usage.completionTokens),
  },
  {
    ...{ name: 'cost', title: 'Cost', least: 72, rank: 7, isNumber: true },
    cell: ({ usage }, format) => (usage.cost === undefined ? '–' : format.money(usage.cost)),
  },
  { name: 'id', title: 'Id', least: 120, part: 1, rank: 19, cell: ({ id }, format) => <code class="cut">{format.visible(id)}</code> },
]

const usual = ['status', 'time', 'model', 'contract', 'answer', 'codes', 'attempts', 'took', 'tokens', 'cost']

/** The columns that an address chooses, or the usual ones; without texts, none that would show them. */
export function chosenColumns(query: URLSearchParams, me: Me | undefined): readonly RunColumn[] {
  const wanted = query.get('cols')?.split(',') ?? usual
  const found = runColumns.filter(({ name }) => wanted.includes(name))
  const possible = found.filter(({ name }) => me?.keepText || (name !== 'question' && name !== 'answer'))
  const withKey = me?.keepText
    ? possible
    : runColumns.filter((column) => possible.includes(column) || (query.get('cols') === null && column.name === 'key'))
  return withKey.length === 0 ? runColumns.slice(0, 2) : withKey
}

const gap = 16

/** The columns for which there is space, the more important ones first. */
export function fittingColumns(columns: readonly RunColumn[], width: number): readonly RunColumn[] {
  let left = width + gap
  const fitting = new Set<RunColumn>()
  for (const column of columns.toSorted((a, b) => a.rank - b.rank)) {
    left -= column.least + gap
    if (left < 0 && fitting.size > 1) break
    fitting.add(column)
  }
  return columns.filter((column) => fitting.has(column))
}

/** The widths of columns as a grid takes them. */
export function templateOf(columns: readonly RunColumn[]): string {
  return columns.map(({ least, part }) => (part === undefined ? `${least}px` : `minmax(${least}px, ${part}fr)`)).join(' ')
}

/** The parameter that chooses columns; empty for the usual ones. */
export function columnsParameter(names: readonly string[]): string {
  const ordered = runColumns.map(({ name }) => name).filter((name) => names.includes(name))
  return ordered.join() === usual.join() ? '' : ordered.join()
}

function None() {
  return <span class="quiet">–</span>
}

function text(value: string | undefined, format: Format): ComponentChildren {
  if (value === undefined) return <None />
  const shown = format.visible(value.slice(0, 300)).replaceAll(/\s+/g, ' ')
  return (
    <span class="cut quiet-text" title={shown}>
      <bdi>{shown}</bdi>
    </span>
  )
}

function Codes({ codes }: { readonly codes: readonly string[] }) {
  const [first, ...others] = codes
  if (first === undefined) return <None />
  return (
    <>
      <Value filter="code" value={first.slice(first.lastIndexOf('/') + 1)} />
      {others.length > 0 && <span class="quiet">+{others.length}</span>}
    </>
  )
}
