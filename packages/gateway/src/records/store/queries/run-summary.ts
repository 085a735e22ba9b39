import type { Usage } from '@stickler/core'
import type { Selectable } from 'kysely'
import type { RunRecord } from '../../run/run-record.ts'
import type { RunsTable } from '../engine/tables.ts'

/** A run without its parts: how many there were instead of which. */
export interface RunSummary
  extends Omit<RunRecord, 'attempts' | 'issues' | 'fixed' | 'repairs' | 'unchecked' | 'text' | 'request' | 'pipeline'> {
  readonly attempts: number
  readonly issues: number
  readonly fixed: number
  readonly repairs: number
}

/** The columns that a summary is made of. */
export const summaryColumns = [
  ...(['runs.seq', 'runs.id', 'runs.at', 'runs.ms', 'runs.status', 'runs.attempt_count', 'runs.issue_count', 'runs.fixed_count'] as const),
  ...([
    'runs.repair_count',
    'runs.prompt_tokens',
    'runs.completion_tokens',
    'runs.cost',
    'runs.contract',
    'runs.model',
    'runs.api',
  ] as const),
  ...(['runs.session', 'runs.stream', 'runs.http_status', 'runs.first_text_ms', 'runs.upstream', 'runs.upstream_model'] as const),
  ...(['runs.key_name', 'runs.request_id', 'runs.choice', 'runs.reason', 'runs.failure_kind', 'runs.failure_status'] as const),
  ...(['runs.failure_message', 'runs.facts', 'runs.estimated', 'runs.delivered'] as const),
] as const

/** A row with the columns of a summary. */
export type SummaryRow = Omit<Selectable<RunsTable>, 'text' | 'request' | 'unchecked' | 'attempts' | 'pipeline'>

/** Reads a row of `runs`. */
export function runSummary(row: SummaryRow): RunSummary {
  return {
    id: row.id,
    requestId: row.request_id,
    choice: row.choice,
    ...(row.session === null ? {} : { session: row.session }),
    at: row.at,
    ms: row.ms,
    ...(row.first_text_ms === null ? {} : { firstTextMs: row.first_text_ms }),
    api: row.api as RunRecord['api'],
    stream: row.stream === 1,
    model: row.model,
    upstream: row.upstream,
    upstreamModel: row.upstream_model,
    contract: row.contract,
    key: row.key_name,
    status: row.status as RunRecord['status'],
    reason: row.reason,
    httpStatus: row.http_status,
    attempts: row.attempt_count,
    issues: row.issue_count,
    fixed: row.fixed_count,
    repairs: row.repair_count,
    usage: usageOf(row),
    ...(row.delivered === null ? {} : { delivered: row.delivered === 1 }),
    ...(row.facts === null ? {} : { facts: readFacts(row.facts) }),
    ...(row.failure_kind === null ? {} : { failure: failureOf(row, row.failure_kind) }),
  }
}

/** Reads the facts of a run; none from a column that was written by hand. */
export function readFacts(column: string): NonNullable<RunRecord['facts']> {
  try {
    return JSON.parse(column)
  } catch {
    return {}
  }
}

/** Reads the usage of a run or an attempt. */
export function usageOf(row: {
  prompt_tokens: number | null
  completion_tokens: number | null
  cost: number | null
  estimated?: number | null
}): Usage {
  return {
    promptTokens: row.prompt_tokens ?? 0,
    completionTokens: row.completion_tokens ?? 0,
    ...(row.cost === null ? {} : { cost: row.cost }),
    ...(row.estimated === 1 ? { estimated: true } : {}),
  }
}

function failureOf({ failure_status, failure_message }: SummaryRow, kind: string): NonNullable<RunRecord['failure']> {
  const failure = { kind, message: failure_message ?? '' }
  return failure_status === null ? failure : { ...failure, status: failure_status }
}
