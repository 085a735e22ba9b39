import type { Engine } from '../engine/engine.ts'
import { checkTimes } from '../queries/stats.ts'
import { type Cell, others } from './period.ts'
import { matchingCells, type SumsMatch } from './read-periods.ts'
import { type Dimension, dimensions, type Tallied, tallied } from './run-facts.ts'
import { type RunTotals, Totals } from './totals.ts'
import { stepFor, stretchesOf } from './widths.ts'

/** The filters of an overview; times in milliseconds since 1970: `since` inclusive, `until` exclusive. */
export interface OverviewQuery extends SumsMatch {
  readonly since: number
  readonly until: number
}

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
export interface RepairCount {
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

const mostRows = 20
const mostNames = 5000

/** Sums runs over time, by name, rule and repair. */
export async function overview(engine: Engine, query: OverviewQuery, now: number): Promise<Overview> {
  checkTimes([query.since, query.until, 1])
  const first = (
    await engine.db
      .selectFrom('rollups')
      .select(({ fn }) => fn.min('at').as('at'))
      .where('width', '=', dayWidth)
      .executeTakeFirst()
  )?.at
  // A chart shows all of its period, also where nothing is stored; only the beginning of an endless one is where the first run is.
  const isEndless = query.until - query.since > longestShown
  const asked = {
    since: isEndless ? Math.min(Math.max(query.since, first ?? query.since), query.until - 1) : query.since,
    until: query.until,
  }
  const { step, width } = stepFor(asked.since, asked.until, now)
  const since = Math.floor(asked.since / step) * step
  const until = Math.ceil(asked.until / step) * step
  const before = new Totals()
  // Only totals are needed, so wider periods are read where they fit.
  for (const stretch of stretchesOf(since - (until - since), since, width))
    for await (const { cells } of matchingCells(engine, query, stretch)) for (const cell of cells) before.add(cell)
  const sums = new OverviewSums()
  for await (const { at, cells } of matchingCells(engine, query, { width, since, until }))
    for (const cell of cells) sums.add(Math.floor(at / step) * step, cell)
  return { since, until, bucketMs: step, now, before: before.value(), ...sums.value(since, until, step, now) }
}

const dayWidth = 86_400_000
const longestShown = 400 * dayWidth
const grouped = ['contract', 'model', 'upstream', 'key'] as const satisfies readonly Dimension[]

class OverviewSums {
  readonly #buckets = new Map<number, Totals>()
  readonly #groups = new Map<Dimension, Map<string, Totals>>()
  readonly #tallies: Readonly<Record<Tallied, Map<string, number[]>>> = {
    rules: new Map(),
    repairs: new Map(),
    unchecked: new Map(),
    failures: new Map(),
  }

  add(at: number, cell: Cell): void {
    entry(this.#buckets, at, () => new Totals()).add(cell)
    for (const dimension of grouped) {
      const group = entry(this.#groups, dimension, () => new Map<string, Totals>())
      const name = cell.names[dimensions.indexOf(dimension)] ?? ''
      entry(group, group.has(name) || group.size < mostNames ? name : others, () => new Totals()).add(cell)
    }
    const status = cell.names[dimensions.indexOf('status')] ?? ''
    for (const table of ['rules', 'repairs', 'unchecked', 'failures'] as const) addTallies(this.#tallies[table], cell, table, status)
  }

  value(since: number, until: number, step: number, now: number) {
    const all = new Totals()
    for (const totals of this.#buckets.values()) all.merge(totals)
    const count = Math.round((until - since) / step)
    const buckets = Array.from({ length: count }, (_, index) => {
      const at = since + index * step
      const totals = this.#buckets.get(at) ?? new Totals()
      return { at, ...totals.value(), ...(at <= now && now < at + step ? { partial: true as const } : {}) }
    })
    return {
      totals: all.value(),
      buckets,
      contracts: this.#rows('contract'),
      models: this.#rows('model'),
      upstreams: this.#rows('upstream'),
      keys: this.#rows('key'),
      rules: rulesOf(this.#tallies.rules),
      repairs: repairsOf(this.#tallies.repairs),
      unchecked: top(this.#tallies.unchecked, 0).map(([[validator = '', cause = ''], [runs = 0]]) => ({ validator, cause, runs })),
      failures: top(this.#tallies.failures, 0).map(([[reason = '', failure = '', status = ''], [runs = 0]]) => ({
        ...{ status, reason, ...(failure === '' ? {} : { failure }), runs },
      })),
    }
  }

  #rows<Name extends Dimension>(dimension: Name): readonly Grouped<Name>[] {
    const all = [...(this.#groups.get(dimension) ?? [])].sort(([, a], [, b]) => b.runs - a.runs)
    const named = all.filter(([name]) => name !== others)
    const shown = named.slice(0, mostRows).map(([name, totals]) => ({ [dimension]: name, ...totals.value() }))
    const rest = [...named.slice(mostRows), ...all.filter(([name]) => name === others)]
    if (rest.length === 0) return shown as unknown as readonly Grouped<Name>[]
    const other = new Totals()
    for (const [, totals] of rest) other.merge(totals)
    return [...shown, { [dimension]: '', ...other.value(), other: true }] as unknown as readonly Grouped<Name>[]
  }
}

/** Adds a table of a cell; reasons are told apart by status. */
export function addTallies(sums: Map<string, number[]>, cell: Cell, table: Tallied, status: string): void {
  cell.tally(table, (pair, numbers, from) => {
    const row = entry(sums, table === 'failures' ? `${pair}\0${status}` : pair, (): number[] => [])
    for (let index = 0; index < tallied[table]; index++) row[index] = (row[index] ?? 0) + (numbers[from + index] ?? 0)
  })
}

/** The most frequent rules. */
export function rulesOf(sums: ReadonlyMap<string, readonly number[]>, most = mostRows): readonly RuleCount[] {
  return top(sums, 0, most).map(([[validator = '', code = ''], [runs = 0, fixed = 0, remaining = 0, retries = 0, cost = 0]]) => ({
    ...{ validator, code, runs, fixed, remaining, retries, cost },
  }))
}

/** The most frequent repairs. */
export function repairsOf(sums: ReadonlyMap<string, readonly number[]>, most = mostRows): readonly RepairCount[] {
  return top(sums, 0, most).map(([[rule = '', kind = ''], [count = 0, runs = 0]]) => ({ rule, class: kind, count, runs }))
}

function top(
  sums: ReadonlyMap<string, readonly number[]>,
  by: number,
  most = mostRows,
): readonly (readonly [names: readonly string[], numbers: readonly number[]])[] {
  const sorted = [...sums].sort(([a, one], [b, other]) => (other[by] ?? 0) - (one[by] ?? 0) || (a < b ? -1 : 1))
  return sorted.slice(0, most).map(([names, numbers]) => [names.replaceAll(others, '').split('\0'), numbers])
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
