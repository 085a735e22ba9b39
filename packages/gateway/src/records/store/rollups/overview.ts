import { sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { checkSpan, matchingCells, type Span, type SumsMatch } from './read-cells.ts'
import { type Dimension, others, Period, type RunTotals, Sums } from './sums.ts'
import { dayMs, stepFor, stretchesOf } from './widths.ts'

/** The filters of an overview. */
export interface OverviewQuery extends SumsMatch, Span {}

/** A row of a list; names beyond the first ones are one row. */
type Grouped<Name extends string> = RunTotals & { readonly [Key in Name]: string } & { readonly other?: true }

/** Everything about some time. */
export interface Overview {
  /** Times are widened to whole buckets. */
  readonly since: number
  readonly until: number
  readonly bucketMs: number
  readonly now: number
  readonly totals: RunTotals
  /** The same length of time just before. */
  readonly before: RunTotals
  readonly buckets: readonly (RunTotals & { readonly at: number; readonly partial?: true })[]
  readonly contracts: readonly Grouped<'contract'>[]
  readonly models: readonly Grouped<'model'>[]
  readonly upstreams: readonly Grouped<'upstream'>[]
  readonly keys: readonly Grouped<'key'>[]
  readonly rules: readonly RuleCount[]
  readonly repairs: readonly RepairCount[]
  readonly unchecked: readonly { readonly validator: string; readonly cause: string; readonly runs: number }[]
  readonly failures: readonly FailureCount[]
  /** Set while runs wait to be counted. */
  readonly behind?: true
}

/** What one rule found. */
export interface RuleCount {
  readonly validator: string
  readonly code: string
  /** Runs in which it was found. */
  readonly runs: number
  /** Runs in which it was repaired. */
  readonly fixed: number
  /** Runs in which it remained. */
  readonly remaining: number
  readonly retries: number
  /** The cost of those retries; rules that caused one together share it equally. */
  readonly cost: number
}

/** What one rule of repairs did. */
interface RepairCount {
  readonly rule: string
  readonly class: string
  readonly count: number
  readonly runs: number
}

/** Runs without a valid answer, by cause. */
export interface FailureCount {
  readonly status: string
  readonly reason: string
  readonly failure?: string
  readonly runs: number
}

/** What the rules of one contract found and repaired. */
export interface ContractStats {
  readonly contract: string
  readonly totals: RunTotals
  readonly rules: readonly (RuleCount & {
    /** Labelled runs in which the rule was found: one that is good is a false alarm. */
    readonly labelled: Labelled
  })[]
  readonly repairs: readonly RepairCount[]
  /** Labelled runs. */
  readonly labelled: Labelled
}

interface Labelled {
  readonly good: number
  readonly bad: number
}

/** The contracts with runs in some time, the busiest first; times are widened to whole periods. */
export interface ContractSums extends Span {
  readonly items: readonly ContractStats[]
}

const mostRows = 20
const mostRules = 200
const mostContracts = 500
/** Combinations of names in the sums of many periods. */
const mostCells = 5000
const longestShown = 400 * dayMs

/** Sums runs over time, by name, rule and repair. */
export async function overview(engine: Engine, query: OverviewQuery, now: number): Promise<Overview> {
  checkSpan(query)
  const first = await firstDay(engine)
  // A chart shows all of its period, also where nothing is stored; only the beginning of an endless one is where the first run is.
  const isEndless = query.until - query.since > longestShown
  const asked = isEndless ? Math.min(Math.max(query.since, first ?? query.since), query.until - 1) : query.since
  const { since, until, step, width } = widened({ since: asked, until: query.until }, now)
  const before = new Sums()
  // Only totals are needed, so wider periods are read where they fit.
  for (const stretch of stretchesOf(since - (until - since), since, width))
    for await (const { cells } of matchingCells(engine, query, stretch)) for (const { rows } of cells) before.add({ rows })
  const buckets = new Map<number, Sums>()
  const names = new Period(mostCells)
  for await (const { at, cells } of matchingCells(engine, query, { width, since, until })) {
    const start = Math.floor(at / step) * step
    const bucket = buckets.get(start) ?? new Sums()
    buckets.set(start, bucket)
    for (const cell of cells) {
      bucket.add({ rows: cell.rows })
      names.add(cell)
    }
  }
  const { all } = names
  return {
    since,
    until,
    bucketMs: step,
    now,
    totals: all.value(),
    before: before.value(),
    buckets: Array.from({ length: Math.round((until - since) / step) }, (_, index) => {
      const at = since + index * step
      return { at, ...(buckets.get(at) ?? new Sums()).value(), ...(at <= now && now < at + step ? { partial: true as const } : {}) }
    }),
    contracts: groupedBy(names, 'contract'),
    models: groupedBy(names, 'model'),
    upstreams: groupedBy(names, 'upstream'),
    keys: groupedBy(names, 'key'),
    rules: rulesOf(all, mostRows),
    repairs: repairsOf(all, mostRows),
    unchecked: all.top('unchecked', mostRows).map(([[validator = '', cause = ''], { runs }]) => ({ validator, cause, runs })),
    failures: failuresIn(all, mostRows),
  }
}

/** Sums the rules and repairs of each contract. */
export async function contractStats(engine: Engine, asked: Span, now: number): Promise<ContractSums> {
  checkSpan(asked)
  const { since, until, width } = widened(asked, now)
  const names = new Period(mostCells)
  for await (const { cells } of matchingCells(engine, {}, { width, since, until })) names.addAll(cells)
  const labelled = await readLabels(engine, since, until)
  const items = names.by('contract').map(
    ([contract, sums]): ContractStats => ({
      contract,
      totals: sums.value(),
      rules: rulesOf(sums, mostRules).map((rule) => ({ ...rule, labelled: labelled(contract, rule.validator, rule.code) })),
      repairs: repairsOf(sums, mostRules),
      labelled: labelled(contract),
    }),
  )
  return { since, until, items: items.slice(0, mostContracts) }
}

async function firstDay({ db }: Engine): Promise<number | undefined> {
  const days = db.selectFrom('rollups').where('width', '=', dayMs)
  return (await days.select(({ fn }) => fn.min('at').as('at')).executeTakeFirst())?.at
}

function widened({ since, until }: Span, now: number): Span & ReturnType<typeof stepFor> {
  const { step, width } = stepFor(since, until, now)
  return { since: Math.floor(since / step) * step, until: Math.ceil(until / step) * step, step, width }
}

function groupedBy<Name extends Dimension>(names: Period, dimension: Name): readonly Grouped<Name>[] {
  const all = names.by(dimension)
  const shown = all.filter(([name]) => name !== others).slice(0, mostRows)
  const rest = all.filter((one) => !shown.includes(one))
  const other = new Sums()
  for (const [, sums] of rest) other.add(sums)
  const rows = shown.map(([name, sums]) => ({ [dimension]: name, ...sums.value() }))
  return [
    ...rows,
    ...(rest.length === 0 ? [] : [{ [dimension]: '', ...other.value(), other: true }]),
  ] as unknown as readonly Grouped<Name>[]
}

function rulesOf(sums: Sums, most: number): readonly RuleCount[] {
  return sums.top('rules', most).map(([[validator = '', code = ''], numbers]) => ({ validator, code, ...numbers }))
}

function repairsOf(sums: Sums, most: number): readonly RepairCount[] {
  return sums.top('repairs', most).map(([[rule = '', kind = ''], numbers]) => ({ rule, class: kind, ...numbers }))
}

/** The most frequent causes of runs without a valid answer. */
export function failuresIn(sums: Sums, most: number): readonly FailureCount[] {
  return sums.top('failures', most).map(([[reason = '', failure = '', status = ''], { runs }]) => ({
    status,
    reason,
    ...(failure === '' ? {} : { failure }),
    runs,
  }))
}

interface LabelRow {
  readonly contract: string
  readonly validator: string
  readonly code: string
  readonly label: string
  readonly runs: number
}

/** Counts the labelled runs of each contract, and of each of its rules that was found in them. */
async function readLabels({ db }: Engine, since: number, until: number): Promise<(...names: readonly string[]) => Labelled> {
  const during = sql`runs.label in ('good', 'bad') and runs.at >= ${since} and runs.at < ${until}`
  const all = await sql<LabelRow>`select runs.contract, '' as validator, '' as code, runs.label, count(*) as runs
    from runs where ${during} group by runs.contract, runs.label`.execute(db)
  const found = await sql<LabelRow>`select runs.contract, issues.validator, issues.code, runs.label, count(distinct runs.id) as runs
    from runs join issues on issues.run_id = runs.id
    where ${during} group by runs.contract, issues.validator, issues.code, runs.label`.execute(db)
  const counts = new Map(
    [...all.rows, ...found.rows].map(({ label, contract, validator, code, runs }) => [[label, contract, validator, code].join('\0'), runs]),
  )
  const count = (...names: readonly string[]): number => counts.get(names.join('\0')) ?? 0
  return (contract = '', validator = '', code = '') => ({
    good: count('good', contract, validator, code),
    bad: count('bad', contract, validator, code),
  })
}
