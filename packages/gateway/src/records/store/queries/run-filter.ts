import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { RunRecord } from '../../run/run-record.ts'
import { name } from '../rows/values.ts'

/** One value, or several of which any matches. */
type AnyOf<Value extends string> = Value | readonly Value[]

/** What operators say of a run. */
export type RunLabel = 'good' | 'bad'

/** Which runs match; an absent filter matches all. */
export interface RunMatch {
  /** Only runs of this key. */
  readonly owner?: string
  readonly status?: AnyOf<RunRecord['status']>
  readonly contract?: AnyOf<string>
  readonly model?: AnyOf<string>
  readonly upstream?: AnyOf<string>
  readonly session?: AnyOf<string>
  readonly api?: AnyOf<string>
  /** Names of keys. */
  readonly key?: AnyOf<string>
  /** Runs with an issue of this code, in any attempt. */
  readonly code?: AnyOf<string>
  /** Runs with an issue of this validator; with `code`, an issue that matches both. */
  readonly validator?: AnyOf<string>
  /** Runs with a repair of this class. */
  readonly class?: AnyOf<string>
  /** Runs with a repair by this rule; with `class`, a repair that matches both. */
  readonly rule?: AnyOf<string>
  readonly label?: AnyOf<RunLabel>
  /** From this time on, in milliseconds since 1970. */
  readonly since?: number
  /** Before this time. */
  readonly until?: number
}

/** The filters of a list of runs; an absent filter matches all. */
export interface RunFilter extends RunMatch {
  readonly limit?: number
  /** `next` of the previous page. */
  readonly before?: string
  /** Words of the question and the answer, where texts are kept. */
  readonly q?: string
}

type Condition = RawBuilder<SqlBool>

/** Rows beside a run, one of which must match; the first column is the one that an index leads with. */
interface Part {
  readonly table: 'issues' | 'repairs'
  readonly columns: readonly { readonly column: string; readonly values: readonly string[] }[]
}

/** One way to find matching runs in order of time, by one index. */
export interface Branch {
  readonly from: RawBuilder<unknown>
  /** The columns that have the time and id of the run. */
  readonly at: string
  readonly id: string
  /** What is selected in place of those, so that a run with several matching parts is found once. */
  readonly keys?: RawBuilder<unknown>
  readonly conditions: readonly Condition[]
}

/** In the order in which they are preferred, the most selective first. */
const columns = ['session', 'label', 'key', 'contract', 'model', 'upstream', 'status', 'api'] as const

/** The ways to find matching runs, each in order of time; a run is found by at least one of them, and at most once by each. */
export function branchesOf(match: RunMatch): readonly Branch[] {
  const [driver, ...others] = partsOf(match)
  // Few runs have a session or a label.
  const few = (['session', 'label'] as const).find((column) => match[column] !== undefined)
  if (driver !== undefined && few === undefined) {
    const [{ values = [] } = {}] = driver.columns
    const conditions = [...columnConditions(match), ...others.map(existsPart)]
    return values.map((value) => partBranch(driver, value, conditions))
  }
  const branch = { from: sql`runs`, at: 'runs.at', id: 'runs.id' }
  const given = columns.filter((column) => valuesOf(match[column]) !== undefined)
  const isSingle = match.owner !== undefined || given.some((column) => valuesOf(match[column])?.length === 1)
  const split = few ?? (isSingle ? undefined : given[0])
  if (split === undefined) return [{ ...branch, conditions: conditionsOf(match) }]
  return (valuesOf(match[split]) ?? []).map((value) => ({ ...branch, conditions: conditionsOf({ ...match, [split]: value }) }))
}

/** The conditions that a run matches, except for its time. */
export function conditionsOf(match: RunMatch): readonly Condition[] {
  return [...columnConditions(match), ...partsOf(match).map(existsPart)]
}

/** The conditions on a time. */
export function timeConditions({ since, until }: RunMatch, at: string): readonly Condition[] {
  return [
    ...(since === undefined ? [] : [sql<SqlBool>`${sql.ref(at)} >= ${since}`]),
    ...(until === undefined ? [] : [sql<SqlBool>`${sql.ref(at)} < ${until}`]),
  ]
}

/** All of some conditions. */
export function allOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
}

/** The values of a filter; undefined when it is absent. */
export function valuesOf(given: AnyOf<string> | undefined): readonly string[] | undefined {
  return given === undefined ? undefined : typeof given === 'string' ? [given] : given
}

function columnConditions(match: RunMatch): readonly Condition[] {
  const own = columns.flatMap((column) => {
    const values = valuesOf(match[column])
    if (values === undefined) return []
    if (column !== 'key') return [among(`runs.${column}`, values)]
    const [only] = values
    return values.length === 1 && only !== undefined ? [ownedBy(only)] : [among('runs.key_name', values), sql<SqlBool>`runs.key_name <> ''`]
  })
  return [...own, ownedBy(match.owner)]
}

/** The condition for the runs of one key; a run without a key has no owner. Always true without an owner. */
export function ownedBy(owner: string | undefined, table = 'runs'): RawBuilder<SqlBool> {
  if (owner === undefined) return sql<SqlBool>`true`
  const key = sql.ref(`${table}.key_name`)
  // The index omits runs without a key, and is used only if the query does so too.
  return sql<SqlBool>`(${key} = ${name(owner)} and ${key} <> '')`
}

function among(column: string, values: readonly string[]): Condition {
  const [only] = values
  if (values.length === 1) return sql<SqlBool>`${sql.ref(column)} = ${name(only)}`
  return values.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`${sql.ref(column)} in (${sql.join(values.map(name))})`
}

function partsOf(match: RunMatch): readonly Part[] {
  const part = (table: Part['table'], ...names: readonly ('code' | 'validator' | 'rule' | 'class')[]): Part[] => {
    const columns = names.flatMap((column) => {
      const values = valuesOf(match[column])
      return values === undefined ? [] : [{ column, values }]
    })
    return columns.length === 0 ? [] : [{ table, columns }]
  }
  return [...part('issues', 'code', 'validator'), ...part('repairs', 'rule', 'class')]
}

function partConditions({ table, columns }: Part, alias: string): readonly Condition[] {
  const given = columns.map(({ column, values }) => among(`${alias}.${column}`, values))
  return table === 'issues' ? [...given, sql<SqlBool>`${sql.ref(`${alias}.leads`)} = 1`] : given
}

function existsPart(part: Part): Condition {
  return sql<SqlBool>`exists (select 1 from ${sql.ref(part.table)} as part
    where part.run_id = runs.id and ${allOf(partConditions(part, 'part'))})`
}

/** Parts repeat the time and id of their run, so that one index filters and sorts; several of a run are one in a page. */
function partBranch(part: Part, value: string, conditions: readonly Condition[]): Branch {
  const [first, ...rest] = part.columns
  const own: Part = { ...part, columns: first === undefined ? rest : [{ ...first, values: [value] }, ...rest] }
  return {
    from: sql`${sql.ref(part.table)} as found join runs on runs.id = found.run_id`,
    at: 'found.at',
    id: 'found.run_id',
    keys: sql`distinct found.at, found.run_id as id`,
    conditions: [...partConditions(own, 'found'), ...conditions],
  }
}
