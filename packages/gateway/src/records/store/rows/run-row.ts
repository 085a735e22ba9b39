import type { RunCounts } from '../../run/kept-record.ts'
import type { RunRecord } from '../../run/run-record.ts'
import type { RunsTable } from '../engine/tables.ts'
import { type ColumnValue, longText, name, optional, real, sentence, whole } from './values.ts'

/** The columns of `runs`, in the order of `runRow`. */
export const runColumns = [
  ...(['id', 'at', 'ms', 'status', 'attempt_count', 'issue_count', 'fixed_count', 'repair_count'] as const),
  ...(['prompt_tokens', 'completion_tokens', 'cost', 'contract', 'model', 'api', 'session', 'stream', 'http_status'] as const),
  ...(['first_text_ms', 'upstream', 'upstream_model', 'key_name', 'request_id', 'choice', 'reason', 'facts'] as const),
  ...(['failure_kind', 'failure_status', 'failure_message', 'unchecked', 'request', 'text', 'attempts', 'estimated', 'delivered'] as const),
  'pipeline',
] as const satisfies readonly Exclude<keyof RunsTable, 'seq'>[]

/** Facts as a column holds them. */
function writeFacts(facts: RunRecord['facts']): string | null {
  if (facts === undefined) return null
  return JSON.stringify(Object.fromEntries(Object.entries(facts).map(([key, value]) => [name(key), name(value)])))
}

/** The row of a run, with its attempts as JSON; written out because every request waits for one. */
export function runRow(run: RunRecord, counts: RunCounts, attempts: string): ColumnValue[] {
  const { usage, failure, unchecked } = run
  return [
    run.id,
    whole(run.at),
    real(run.ms),
    name(run.status),
    whole(counts.attempts),
    whole(counts.issues),
    whole(counts.fixed),
    whole(counts.repairs),
    whole(usage.promptTokens),
    whole(usage.completionTokens),
    optional(usage.cost, real),
    name(run.contract),
    name(run.model),
    name(run.api),
    optional(run.session, name),
    run.stream ? 1 : 0,
    whole(run.httpStatus),
    optional(run.firstTextMs, real),
    name(run.upstream),
    name(run.upstreamModel),
    name(run.key),
    name(run.requestId),
    whole(run.choice),
    name(run.reason),
    writeFacts(run.facts),
    optional(failure?.kind, name),
    optional(failure?.status, whole),
    optional(failure?.message, sentence),
    unchecked.length > 0 ? JSON.stringify(unchecked) : null,
    optional(run.request, longText),
    optional(run.text, longText),
    attempts,
    usage.estimated ? 1 : null,
    run.delivered === undefined ? null : run.delivered ? 1 : 0,
    run.pipeline === undefined ? null : JSON.stringify(run.pipeline),
  ]
}
