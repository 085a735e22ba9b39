import { parseJson } from '@stickler/core/internal'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { byRun, partsOfRuns } from '../queries/listed-run.ts'
import { name } from '../rows/values.ts'
import { binOf } from './histogram.ts'
import { type Attempt, type Retry, readAttempts, retriesIn, sumOf, usageShares } from './retries.ts'
import { type Cell, type SumsRow, sumsRow } from './sums.ts'

/** What sums have of one run. */
export interface RunFacts extends Cell {
  readonly id: string
  readonly seq: number
  readonly at: number
}

interface FactsRow {
  readonly seq: number
  readonly id: string
  readonly at: number
  readonly contract: string
  readonly model: string
  readonly upstream: string
  readonly key_name: string
  readonly api: string
  readonly status: string
  readonly reason: string
  readonly failure_kind: string | null
  readonly ms: number
  readonly added_ms: number | null
  readonly first_text_ms: number | null
  readonly attempt_count: number
  readonly repair_count: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly cost: number | null
  readonly unchecked: string | null
  /** Only of runs with several. */
  readonly attempts: string | null
}

interface IssueRow {
  readonly run_id: string
  readonly kind: string
  readonly validator: string
  readonly code: string
  readonly severity: string
}

interface RepairRow {
  readonly run_id: string
  readonly rule: string
  readonly class: string
  readonly count: number
}

const noAnswer: ReadonlySet<string> = new Set(['unresolved', 'unchecked', 'failed'])

/** Reads what sums need of the first runs that meet a condition. */
export async function readFacts(
  { db }: Engine,
  condition: RawBuilder<SqlBool>,
  order: RawBuilder<unknown>,
  limit: number,
): Promise<readonly RunFacts[]> {
  const { rows } = await sql<FactsRow>`
    select seq, id, at, contract, model, upstream, key_name, api, status, reason, failure_kind, ms, added_ms, first_text_ms, attempt_count,
      repair_count, prompt_tokens, completion_tokens, cost, unchecked, case when attempt_count > 1 then attempts end as attempts
    from runs where ${condition} order by ${order} limit ${sql.lit(limit)}`.execute(db)
  if (rows.length === 0) return []
  const own = partsOfRuns(rows)
  const issues = await sql<IssueRow>`select distinct run_id, kind, validator, code, severity from issues where ${own}`.execute(db)
  const repairs = await sql<RepairRow>`select run_id, rule, class, count(*) as count from repairs where ${own} group by 1, 2, 3`.execute(db)
  const issuesOf = byRun(issues.rows)
  const repairsOf = byRun(repairs.rows)
  return rows.map((row) => factsOf(row, issuesOf.get(row.id) ?? [], repairsOf.get(row.id) ?? []))
}

function factsOf(row: FactsRow, issues: readonly IssueRow[], repairs: readonly RepairRow[]): RunFacts {
  const attempts = row.attempts === null ? [] : readAttempts(row.attempts)
  const retries = retriesIn(row, attempts)
  const retryTokens = sumOf(retries.map(({ tokens }) => tokens))
  const retryCost = sumOf(retries.map(({ cost }) => cost))
  const [savedTokens, savedCost] = row.status === 'repaired' ? lastCall(row, attempts) : [0, 0]
  const duration = (table: 'ms' | 'addedMs' | 'firstTextMs', ms: number | null) => (ms === null ? [] : [sumsRow(table, [binOf(ms)], 1)])
  const totals = [
    ...[1, row.attempt_count, Math.max(0, row.attempt_count - 1), row.attempt_count > 1 ? 1 : 0, row.repair_count],
    ...[row.prompt_tokens, row.completion_tokens, row.cost ?? 0, retryTokens, retryCost, savedTokens, savedCost],
  ]
  return {
    ...{ id: row.id, seq: row.seq, at: row.at },
    names: [row.contract, row.model, row.upstream, row.key_name, row.api, row.status],
    rows: [
      sumsRow('totals', [], ...totals),
      sumsRow('statuses', [row.status], 1),
      ...[...duration('ms', row.ms), ...duration('addedMs', row.added_ms), ...duration('firstTextMs', row.first_text_ms)],
    ],
    details: [
      ...rulesOf(issues, retries),
      ...validatorsOf(retries),
      ...repairs.map(({ rule, class: kind, count }) => sumsRow('repairs', [rule, kind], count, 1)),
      ...uncheckedOf(row.unchecked),
      ...(noAnswer.has(row.status) ? [sumsRow('failures', [row.reason, row.failure_kind ?? '', row.status], 1)] : []),
    ],
  }
}

/** What the last call of a run used: what another one would have cost. */
function lastCall(row: FactsRow, attempts: readonly Attempt[]): readonly [tokens: number, cost: number] {
  const all = row.prompt_tokens + row.completion_tokens
  if (attempts.length < 2) return row.attempt_count === 0 ? [0, 0] : [all, row.cost ?? 0]
  const { tokens, cost } = usageShares(row, attempts)
  return [tokens.at(-1) ?? 0, cost.at(-1) ?? 0]
}

function rulesOf(issues: readonly IssueRow[], retries: readonly Retry[]): readonly SumsRow[] {
  const rules = new Map<string, [runs: number, fixed: number, remaining: number, retries: number, cost: number]>()
  const errors = new Set<string>()
  for (const { kind, validator, code, severity } of issues) {
    const names = `${validator}\0${code}`
    const rule = rules.get(names) ?? [1, 0, 0, 0, 0]
    if (kind === 'fixed') rule[1] = 1
    if (kind === 'remaining') rule[2] = 1
    if (severity === 'error') errors.add(names)
    rules.set(names, rule)
  }
  for (const { blamed, cost } of retries) {
    for (const { validator, code } of blamed) {
      const rule = rules.get(`${name(validator)}\0${name(code)}`)
      if (rule === undefined) continue
      rule[3]++
      rule[4] += cost / blamed.length
    }
  }
  return [
    ...[...rules].map(([names, numbers]) => sumsRow('rules', [names], ...numbers)),
    ...[...errors].map((names) => sumsRow('errors', [names], 1)),
  ]
}

/** What each validator cost in retries; those that caused one together share it equally. */
function validatorsOf(retries: readonly Retry[]): readonly SumsRow[] {
  const costs = new Map<string, [runs: number, retries: number, tokens: number, cost: number]>()
  for (const { blamed, tokens, cost } of retries) {
    const validators = new Set(blamed.map(({ validator }) => name(validator)))
    for (const validator of validators) {
      const [, others, ownTokens, ownCost] = costs.get(validator) ?? [1, 0, 0, 0]
      costs.set(validator, [1, others + 1, ownTokens + tokens / validators.size, ownCost + cost / validators.size])
    }
  }
  return [...costs].map(([validator, numbers]) => sumsRow('validators', [validator], ...numbers))
}

function uncheckedOf(written: string | null): readonly SumsRow[] {
  const found = written === null ? [] : parseJson(written)
  const pairs = Array.isArray(found) ? found.map((one) => `${name(one?.validator)}\0${name(one?.cause)}`) : []
  return [...new Set(pairs)].map((pair) => sumsRow('unchecked', [pair], 1))
}
