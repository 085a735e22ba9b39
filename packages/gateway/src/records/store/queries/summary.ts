import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { name } from '../rows/values.ts'
import { RetryCosts, type ValidatorCost } from './retry-costs.ts'
import { ownedBy } from './run-filter.ts'
import {
  type CodeCount,
  CodeTally,
  emptyTotals,
  type GroupRow,
  groupColumns,
  mostGroups,
  NamedSums,
  plus,
  readGroups,
  type Totals,
} from './run-groups.ts'
import { checkTimes } from './stats.ts'

/** The filters of a summary; times in milliseconds since 1970: `since` inclusive, `until` exclusive. */
export interface SummaryQuery {
  readonly since: number
  readonly until: number
  readonly contract?: string
  readonly model?: string
  /** Name of a key. */
  readonly key?: string
  /** Only runs of this key. */
  readonly owner?: string
}

interface FailureNames {
  readonly status: string
  readonly reason: string
  readonly failure?: string
}

/** Outcomes, causes of failures, and costs. */
export interface Summary extends Totals {
  readonly since: number
  readonly until: number
  readonly contracts: readonly (Totals & { readonly contract: string })[]
  readonly keys: readonly (Totals & { readonly key: string })[]
  /** Runs without a valid answer, by cause. */
  readonly failures: readonly (FailureNames & { readonly runs: number })[]
  /** The most frequent errors. */
  readonly codes: readonly CodeCount[]
  /** The cost of each validator in retries, the most expensive first. */
  readonly validators: readonly ValidatorCost[]
}

const slices = 96
const topGroups = 50
const noAnswer: ReadonlySet<string> = new Set(['unresolved', 'unchecked', 'failed'])

/** Sums runs by contract, key, cause and validator; one query for each period, so that none blocks the event loop for long. */
export async function summary(engine: Engine, query: SummaryQuery): Promise<Summary> {
  const { since, until } = query
  const sliceMs = Math.max(1, Math.ceil((until - since) / slices))
  checkTimes([since, until, sliceMs])
  const condition = conditionOf(query)
  const all = new Groups()
  const contracts = new Groups()
  const keys = new Groups()
  const failures = new NamedSums<FailureNames, Readonly<Record<'runs', number>>>(mostGroups)
  const codes = new CodeTally()
  const validators = new RetryCosts()
  for (let at = since; at < until; at += sliceMs) {
    const end = Math.min(until, at + sliceMs)
    const slice = { at, end, condition }
    const read = (columns: Parameters<typeof readGroups>[2]) => readGroups(engine, slice, columns)
    const rows = await read(groupColumns)
    if (rows.length === 0) continue
    // With more groups than are read, each sum needs a separate query.
    const wasCut = rows.length === mostGroups
    for (const row of wasCut ? await read(['status']) : rows) all.add('', row)
    for (const row of wasCut ? await read(['contract', 'status']) : rows) contracts.add(row.contract, row)
    for (const row of wasCut ? await read(['key_name', 'status']) : rows) keys.add(row.key_name, row)
    for (const row of wasCut ? await read(['status', 'reason', 'failure_kind']) : rows)
      if (noAnswer.has(row.status))
        failures.add({ status: row.status, reason: row.reason, ...(row.failure_kind && { failure: row.failure_kind }) }, { runs: row.runs })
    await nextTurn()
    await codes.add(engine, slice)
    if (wasCut || rows.some(({ retries }) => retries > 0)) await validators.add(engine, slice)
    await nextTurn()
  }
  return {
    since,
    until,
    ...(all.top()[0]?.[1] ?? emptyTotals),
    contracts: contracts.top().map(([contract, totals]) => ({ contract, ...totals })),
    keys: keys.top().map(([key, totals]) => ({ key, ...totals })),
    failures: failures.top(topGroups, 'runs'),
    codes: codes.top().codes,
    validators: validators.top(topGroups),
  }
}

/** The summary of no runs. */
export function emptySummary(since: number, until: number): Summary {
  return { since, until, ...emptyTotals, contracts: [], keys: [], failures: [], codes: [], validators: [] }
}

function conditionOf({ owner, key, contract, model }: SummaryQuery): RawBuilder<SqlBool> {
  const conditions = [
    ownedBy(owner),
    ...(key === undefined ? [] : [ownedBy(key)]),
    ...(contract === undefined ? [] : [sql<SqlBool>`runs.contract = ${name(contract)}`]),
    ...(model === undefined ? [] : [sql<SqlBool>`runs.model = ${name(model)}`]),
  ]
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
}

/** Sums by name; names beyond the limit count only in the total. */
class Groups {
  readonly #totals = new Map<string, Totals>()

  add(group: string, row: GroupRow): void {
    const known = this.#totals.get(group)
    if (known === undefined && this.#totals.size >= mostGroups) return
    this.#totals.set(group, plus(known ?? emptyTotals, row))
  }

  top(): readonly (readonly [string, Totals])[] {
    return [...this.#totals].sort(([, a], [, b]) => b.runs - a.runs).slice(0, topGroups)
  }
}
