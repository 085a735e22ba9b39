import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { name } from '../rows/values.ts'
import { type CodeCount, CodeTally } from './code-tally.ts'
import { ownedBy } from './owner-condition.ts'
import { RetryCosts, type ValidatorCost } from './retry-costs.ts'
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

/** Sums over some runs. */
export interface Totals {
  readonly runs: number
  /** Number of runs by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly attempts: number
  /** Attempts after the first. */
  readonly retries: number
  readonly repairs: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cost: number
}

/** Outcomes, causes of failures, and costs. */
export interface Summary extends Totals {
  readonly since: number
  readonly until: number
  readonly contracts: readonly (Totals & { readonly contract: string })[]
  readonly keys: readonly (Totals & { readonly key: string })[]
  /** Runs without a valid answer, by cause. */
  readonly failures: readonly { readonly status: string; readonly reason: string; readonly failure?: string; readonly runs: number }[]
  /** The most frequent errors. */
  readonly codes: readonly CodeCount[]
  /** The cost of each validator in retries, the most expensive first. */
  readonly validators: readonly ValidatorCost[]
}

interface GroupRow {
  readonly contract: string
  readonly key_name: string
  readonly status: string
  readonly reason: string
  readonly failure_kind: string | null
  readonly runs: number
  readonly attempts: number
  readonly retries: number
  readonly repairs: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly cost: number
}

const groupColumns = ['contract', 'key_name', 'status', 'reason', 'failure_kind'] as const
type GroupColumn = (typeof groupColumns)[number]

const emptyTotals: Totals = {
  ...{ runs: 0, statuses: {}, attempts: 0, retries: 0, repairs: 0, promptTokens: 0, completionTokens: 0, cost: 0 },
}

const slices = 96
const mostGroups = 2000
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
  const failures = new Map<string, { status: string; reason: string; failure?: string; runs: number }>()
  const codes = new CodeTally()
  const validators = new RetryCosts()
  for (let at = since; at < until; at += sliceMs) {
    const end = Math.min(until, at + sliceMs)
    const read = (columns: readonly GroupColumn[]) => readGroups(engine, at, end, condition, columns)
    const rows = await read(groupColumns)
    if (rows.length === 0) continue
    // With more groups than are read, each sum needs a separate query.
    const wasCut = rows.length === mostGroups
    for (const row of wasCut ? await read(['status']) : rows) all.add('', row)
    for (const row of wasCut ? await read(['contract', 'status']) : rows) contracts.add(row.contract, row)
    for (const row of wasCut ? await read(['key_name', 'status']) : rows) keys.add(row.key_name, row)
    for (const row of wasCut ? await read(['status', 'reason', 'failure_kind']) : rows)
      if (noAnswer.has(row.status)) addFailure(failures, row)
    await nextTurn()
    await codes.add(engine, at, end, condition)
    if (wasCut || rows.some(({ retries }) => retries > 0)) await validators.add(engine, at, end, condition)
    await nextTurn()
  }
  return {
    since,
    until,
    ...(all.top()[0]?.[1] ?? emptyTotals),
    contracts: contracts.top().map(([contract, totals]) => ({ contract, ...totals })),
    keys: keys.top().map(([key, totals]) => ({ key, ...totals })),
    failures: [...failures.values()].sort((a, b) => b.runs - a.runs).slice(0, topGroups),
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

async function readGroups(
  { db }: Engine,
  at: number,
  end: number,
  condition: RawBuilder<SqlBool>,
  columns: readonly GroupColumn[],
): Promise<readonly GroupRow[]> {
  const group = sql.join(columns.map((column) => sql.ref(column)))
  const { rows } = await sql<GroupRow>`
    select ${group}, count(*) as runs, sum(attempt_count) as attempts,
      sum(case when attempt_count > 1 then attempt_count - 1 else 0 end) as retries, sum(repair_count) as repairs,
      sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens, sum(coalesce(cost, 0)) as cost
    from runs where at >= ${at} and at < ${end} and ${condition}
    group by ${group} order by count(*) desc limit ${sql.lit(mostGroups)}`.execute(db)
  return rows
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

function plus(totals: Totals, row: GroupRow): Totals {
  return {
    runs: totals.runs + row.runs,
    statuses: { ...totals.statuses, [row.status]: (totals.statuses[row.status] ?? 0) + row.runs },
    attempts: totals.attempts + row.attempts,
    retries: totals.retries + row.retries,
    repairs: totals.repairs + row.repairs,
    promptTokens: totals.promptTokens + row.prompt_tokens,
    completionTokens: totals.completionTokens + row.completion_tokens,
    cost: totals.cost + row.cost,
  }
}

function addFailure(failures: Map<string, { status: string; reason: string; failure?: string; runs: number }>, row: GroupRow): void {
  const { status, reason, failure_kind, runs } = row
  const key = JSON.stringify([status, reason, failure_kind])
  const known = failures.get(key)
  if (known === undefined && failures.size >= mostGroups) return
  failures.set(key, { status, reason, ...(failure_kind === null ? {} : { failure: failure_kind }), runs: (known?.runs ?? 0) + runs })
}
