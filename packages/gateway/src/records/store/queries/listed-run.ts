import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { RunSummary } from '../../run/run-record.ts'
import type { Engine } from '../engine/engine.ts'
import { runSummary, type SummaryRow, summaryColumns } from '../rows/read-run.ts'
import type { RunLabel } from './run-filter.ts'

/** A run with all that its row in a list shows. */
export type ListedRun = RunSummary & {
  /** The first codes of its issues, each after its validator and a slash. */
  readonly codes: readonly string[]
  /** The classes of its repairs. */
  readonly classes: readonly string[]
  readonly label?: RunLabel
  /** The beginning of the question, if texts are kept. */
  readonly question?: string
  /** The beginning of the answer, if texts are kept. */
  readonly answer?: string
}

/** A row with the columns of a listed run. */
export type ListedRow = SummaryRow & { readonly label: string | null; readonly question: string | null; readonly answer: string | null }

/** Some runs, newest first. */
export interface RunPage {
  readonly runs: readonly ListedRun[]
  /** The cursor of the next page; absent at the end. */
  readonly next?: string
}

const longestText = 300
const mostCodes = 5

/** The columns of a listed run. */
export const listedColumns = sql.join([
  ...summaryColumns.map((column) => sql.ref(column)),
  sql`runs.label`,
  sql`substr(runs.request, 1, ${sql.lit(longestText)}) as question`,
  sql`substr(runs.text, 1, ${sql.lit(longestText)}) as answer`,
])

/** Reads rows, with the codes and classes of all of them in two queries. */
export async function listedRuns({ db }: Engine, rows: readonly ListedRow[]): Promise<readonly ListedRun[]> {
  if (rows.length === 0) return []
  const own = partsOfRuns(rows)
  const read = async (query: RawBuilder<ValueRow>): Promise<(id: string) => readonly string[]> => {
    const values = byRun((await query.execute(db)).rows)
    return (id) => values.get(id)?.map(({ value }) => value) ?? []
  }
  const codes = await read(
    sql`select run_id, validator || '/' || code as value from issues where ${own} and leads = 1 order by run_id, position`,
  )
  const classes = await read(sql`select distinct run_id, class as value from repairs where ${own} order by 1, 2`)
  return rows.map((row) => ({
    ...runSummary(row),
    codes: [...new Set(codes(row.id))].slice(0, mostCodes),
    classes: classes(row.id),
    ...(row.label === null ? {} : { label: row.label as RunLabel }),
    ...(row.question ? { question: row.question } : {}),
    ...(row.answer ? { answer: row.answer } : {}),
  }))
}

/** The condition for the rows of runs in other tables. By the times of all, PostgreSQL knows that they are few, even of tables that it has not counted yet. */
export function partsOfRuns(runs: readonly { readonly id: string; readonly at: number }[]): RawBuilder<SqlBool> {
  const times = runs.map(({ at }) => at)
  return sql`run_id in (${sql.join(runs.map(({ id }) => id))}) and at >= ${Math.min(...times)} and at <= ${Math.max(...times)}`
}

interface ValueRow {
  readonly run_id: string
  readonly value: string
}

/** Groups rows by their run. */
export function byRun<Row extends { readonly run_id: string }>(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(row.run_id)
    if (group === undefined) groups.set(row.run_id, [row])
    else group.push(row)
  }
  return groups
}
