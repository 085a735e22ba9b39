import type { Issue } from '@stickler/core'
import type { RunCounts } from '../../run/kept-record.ts'
import type { RunRecord } from '../../run/run-record.ts'
import type { IssuesTable, RepairsTable, RunsTable } from '../engine/tables.ts'
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

type Columns<Table, Source> = Readonly<Record<keyof Table, (source: Source) => ColumnValue>>

/** A part of a run, with the run it belongs to. */
interface Part<Of> {
  readonly run: RunRecord
  readonly position: number
  readonly of: Of
}

/** An issue with what the run knows of it. */
interface IssuePart extends Part<Issue> {
  readonly kind: IssuesTable['kind']
  readonly attempt: number
  readonly leads: boolean
}

/** How the columns of `issues` are filled. */
export const issueColumns: Columns<IssuesTable, IssuePart> = {
  run_id: ({ run }) => run.id,
  position: ({ position }) => position,
  kind: ({ kind }) => kind,
  attempt: ({ attempt }) => attempt,
  at: ({ run }) => whole(run.at),
  validator: ({ of }) => name(of.validator),
  code: ({ of }) => name(of.code),
  severity: ({ of }) => name(of.severity),
  leads: ({ leads }) => (leads ? 1 : 0),
  message: ({ of }) => sentence(of.message),
  detail: ({ of: { hint, span, path, suggestion } }) => {
    const none = hint === undefined && span === undefined && path === undefined && suggestion === undefined
    return none ? null : JSON.stringify({ hint, span, path, suggestion })
  },
}

/** How the columns of `repairs` are filled. */
export const repairColumns: Columns<RepairsTable, Part<RunRecord['repairs'][number]>> = {
  run_id: ({ run }) => run.id,
  position: ({ position }) => position,
  rule: ({ of }) => name(of.rule),
  class: ({ of }) => name(of.class),
  detail: ({ of }) => JSON.stringify(of),
  at: ({ run }) => whole(run.at),
}

/** The values of one row. */
export type Row = readonly ColumnValue[]

/** The rows of one run, each in the order of the columns. */
export interface RunRows {
  readonly run: Row
  readonly issues: readonly Row[]
  readonly repairs: readonly Row[]
}

const fillIssue = Object.values(issueColumns)
const fillRepair = Object.values(repairColumns)
const none: readonly Row[] = []

/** Turns a run into rows, with its attempts as JSON. */
export function runRows(run: RunRecord, counts: RunCounts, attempts: string): RunRows {
  const { repairs } = run
  return {
    run: runRow(run, counts, attempts),
    issues: hasIssues(run) ? issueParts(run).map((part) => fillIssue.map((fill) => fill(part))) : none,
    repairs: repairs.length === 0 ? none : repairs.map((of, position) => fillRepair.map((fill) => fill({ run, position, of }))),
  }
}

function hasIssues({ attempts, issues, fixed }: RunRecord): boolean {
  for (const attempt of attempts) if (attempt.issues.length > 0) return true
  return issues.length > 0 || fixed.length > 0
}

function issueParts(run: RunRecord): IssuePart[] {
  const parts: IssuePart[] = []
  const seen = new Set<string>()
  let position = 0
  const add = (kind: IssuesTable['kind'], attempt: number, issues: readonly Issue[]) => {
    for (const of of issues) {
      const before = seen.size
      seen.add(`${of.validator}\n${of.code}\n${of.severity}`)
      const leads = seen.size > before
      // All issues of an attempt stand with it; here they are found by their code.
      if (leads || kind !== 'attempt') parts.push({ run, position, of, kind, attempt, leads })
      position++
    }
  }
  for (const attempt of run.attempts) add('attempt', whole(attempt.number), attempt.issues)
  add('remaining', 0, run.issues)
  add('fixed', 0, run.fixed)
  return parts
}
