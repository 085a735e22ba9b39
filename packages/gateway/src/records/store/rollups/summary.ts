import type { Engine } from '../engine/engine.ts'
import { type FailureCount, failuresIn } from './overview.ts'
import { checkSpan, exactCells, mostCombinations, type Span } from './read-cells.ts'
import { type Dimension, others, Period, type RunTotals, Sums } from './sums.ts'

/** The filters of a summary. */
export interface SummaryQuery extends Span {
  readonly contract?: string
  readonly model?: string
  /** Name of a key. */
  readonly key?: string
  /** Only runs of this key. */
  readonly owner?: string
}

/** Sums over some runs. */
export type Totals = Pick<
  RunTotals,
  'runs' | 'statuses' | 'attempts' | 'retries' | 'repairs' | 'promptTokens' | 'completionTokens' | 'cost'
>

/** The number of runs with an error. */
export interface CodeCount {
  readonly validator: string
  readonly code: string
  readonly runs: number
}

/** The cost of one validator: the retries that it caused, and their usage. */
interface ValidatorCost {
  readonly validator: string
  /** Runs in which it caused a retry. */
  readonly runs: number
  /** Retries that it caused, alone or with others. */
  readonly retries: number
  /** Tokens of those retries; validators that caused one together share it equally. */
  readonly tokens: number
  /** Cost of those retries, shared in the same way. */
  readonly cost: number
}

/** Outcomes, causes of failures, and costs. */
export interface Summary extends Totals {
  readonly since: number
  readonly until: number
  readonly contracts: readonly (Totals & { readonly contract: string })[]
  readonly keys: readonly (Totals & { readonly key: string })[]
  /** Runs without a valid answer, by cause. */
  readonly failures: readonly FailureCount[]
  /** The most frequent errors. */
  readonly codes: readonly CodeCount[]
  /** The cost of each validator in retries, the most expensive first. */
  readonly validators: readonly ValidatorCost[]
}

const topGroups = 50
const topCodes = 20

/** Sums runs by contract, key, cause and validator. */
export async function summary(engine: Engine, { since, until, ...match }: SummaryQuery, now: number): Promise<Summary> {
  checkSpan({ since, until })
  const names = new Period(mostCombinations)
  for await (const cells of exactCells(engine, match, { since, until }, now)) names.addAll(cells)
  const { all } = names
  const groups = <Name extends 'contract' | 'key'>(dimension: Name) =>
    named(names, dimension)
      .slice(0, topGroups)
      .map(([name, sums]) => ({ [dimension]: name, ...plainTotals(sums) }) as Totals & Readonly<Record<Name, string>>)
  const validators = all.top('validators').map(([[validator = ''], numbers]): ValidatorCost => ({ validator, ...numbers }))
  return {
    since,
    until,
    ...plainTotals(all),
    contracts: groups('contract'),
    keys: groups('key'),
    failures: failuresIn(all, topGroups),
    codes: frequentCodes(all),
    validators: validators.sort((a, b) => b.cost - a.cost || b.retries - a.retries || b.runs - a.runs).slice(0, topGroups),
  }
}

/** The summary of no runs. */
export function emptySummary(since: number, until: number): Summary {
  return { since, until, ...plainTotals(new Sums()), contracts: [], keys: [], failures: [], codes: [], validators: [] }
}

/** The sums of each name; those beyond a limit count only in the total. */
export function named(sums: Period, dimension: Dimension): readonly (readonly [name: string, sums: Sums])[] {
  return sums.by(dimension).filter(([name]) => name !== others)
}

/** Totals without percentiles, retries and savings. */
export function plainTotals(sums: Sums): Totals {
  const { runs, statuses, attempts, retries, repairs, promptTokens, completionTokens, cost } = sums.value()
  return { runs, statuses, attempts, retries, repairs, promptTokens, completionTokens, cost }
}

/** The most frequent errors. */
export function frequentCodes(sums: Sums): readonly CodeCount[] {
  return sums.top('errors', topCodes).map(([[validator = '', code = ''], { runs }]) => ({ validator, code, runs }))
}
