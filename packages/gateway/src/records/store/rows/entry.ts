import type { Issue } from '@stickler/core'
import { runColumnTypes } from '../../run/run-columns.ts'
import type { RunRecord, ShadowRecord } from '../../run/run-record.ts'
import type { RunCounts } from '../../run/stored-record.ts'
import { tables } from './tables.ts'
import { type ColumnValue, longText, name, real, sentence, shortNames, whole } from './values.ts'

/** The values of one row by their columns; what is absent is null. */
export type Row = Readonly<Record<string, ColumnValue | undefined>>

/** A table and its columns. */
export interface TableShape {
  readonly table: keyof typeof tables
  readonly columns: readonly string[]
  /** Columns that name an existing row, whose others are set; without any, rows are new. */
  readonly found?: readonly string[]
}

/** Rows for one table. */
export interface TableRows {
  readonly shape: TableShape
  readonly rows: readonly Row[]
}

const verdictColumns = ['shadow_contract', 'shadow_status', 'live_status', 'shadow_codes', 'live_codes'] as const

const allOf = (table: keyof typeof tables): TableShape => ({
  table,
  columns: Object.keys(tables[table]).filter((column) => column !== 'seq'),
})

/** What a line of the journal may hold, runs first, because all others refer to them. */
const shapes = {
  runs: { table: 'runs', columns: Object.keys(runColumnTypes) },
  issues: allOf('issues'),
  repairs: allOf('repairs'),
  audits: allOf('audit'),
  verdicts: { table: 'runs', columns: verdictColumns, found: ['id', 'at'] },
} as const satisfies Readonly<Record<string, TableShape>>

/** The rows of one record: as JSON, the line of the journal. */
export type Entry = { readonly [Part in keyof typeof shapes]?: readonly Row[] }

/** Groups the rows of records by table. */
export function tableRows(entries: readonly Entry[]): readonly TableRows[] {
  return Object.entries(shapes).map(([part, shape]) => ({ shape, rows: entries.flatMap((entry) => entry[part as keyof Entry] ?? []) }))
}

/** Reads a line that this process wrote under the current settings, so that no text must be removed; throws for any other. */
export function readEntry(line: string): Entry {
  const entry = JSON.parse(line) as Entry
  const [row] = Object.keys(shapes).flatMap((part) => entry?.[part as keyof Entry] ?? [])
  if (typeof row?.id !== 'string') throw new TypeError('a line holds a run, a verdict of a shadow contract, or an audit row')
  return entry
}

/** A row of `runs`, typed so that no column is forgotten; what is undefined becomes null. */
type RunRow = { readonly [Column in keyof typeof runColumnTypes]: ColumnValue | undefined }

function given<Value>(value: Value | undefined, stored: (value: Value) => ColumnValue): ColumnValue | undefined {
  return value === undefined || value === null ? undefined : stored(value)
}

/** Written out and not made from the table of members: every request waits for it. */
function runRow(run: RunRecord, counts: RunCounts): RunRow {
  const { usage, shadow, failure, unchecked } = run
  return {
    id: name(run.id),
    request_id: name(run.requestId),
    choice: whole(run.choice),
    session: given(run.session, name),
    at: whole(run.at),
    ms: real(run.ms),
    first_text_ms: given(run.firstTextMs, real),
    added_ms: given(run.addedMs, real),
    api: name(run.api),
    stream: run.stream ? 1 : 0,
    model: name(run.model),
    upstream: name(run.upstream),
    upstream_model: name(run.upstreamModel),
    contract: name(run.contract),
    key_name: name(run.key),
    status: name(run.status),
    reason: name(run.reason),
    http_status: whole(run.httpStatus),
    attempt_count: whole(counts.attempts),
    issue_count: whole(counts.issues),
    fixed_count: whole(counts.fixed),
    repair_count: whole(counts.repairs),
    prompt_tokens: whole(usage.promptTokens),
    completion_tokens: whole(usage.completionTokens),
    cost: given(usage.cost, real),
    estimated: usage.estimated ? 1 : undefined,
    delivered: given(run.delivered, (value) => (value ? 1 : 0)),
    fallback: run.fallback ? 1 : undefined,
    skipped: given(run.skipped, name),
    shadow_contract: given(shadow?.contract, name),
    shadow_status: given(shadow?.status, name),
    live_status: given(shadow?.liveStatus, name),
    shadow_codes: given(shadow?.codes, name),
    live_codes: given(shadow?.liveCodes, name),
    failure_kind: given(failure?.kind, name),
    failure_message: given(failure?.message, sentence),
    failure_status: given(failure?.status, whole),
    facts: given(run.facts, shortNames),
    attempts: JSON.stringify(run.attempts),
    unchecked: unchecked.length === 0 ? undefined : JSON.stringify(unchecked),
    request: given(run.request, longText),
    text: given(run.text, longText),
    tool_calls: given(run.toolCalls, JSON.stringify),
    prompt: given(run.prompt, JSON.stringify),
    context: given(run.context, JSON.stringify),
    timeline: given(run.timeline, longText),
    pipeline: given(run.pipeline, JSON.stringify),
  }
}

/** The rows of a run. */
export function runEntry(run: RunRecord, counts: RunCounts): Entry {
  const [issues, repairs] = [hasIssues(run) ? issueRows(run) : [], run.repairs.map((repair, position) => repairRow(run, repair, position))]
  return { runs: [runRow(run, counts)], ...(issues.length > 0 && { issues }), ...(repairs.length > 0 && { repairs }) }
}

/** The row of a verdict that is added to a run. */
export function shadowEntry({ id, at, verdict }: ShadowRecord): Entry {
  const [contract, status, live, codes, liveCodes] = [
    verdict.contract,
    verdict.status,
    verdict.liveStatus,
    verdict.codes,
    verdict.liveCodes,
  ].map(name)
  const set = { shadow_contract: contract, shadow_status: status, live_status: live, shadow_codes: codes, live_codes: liveCodes }
  return { verdicts: [{ ...set, id, at: whole(at) }] }
}

/** Where an issue was found. */
export type IssueKind = 'attempt' | 'remaining' | 'fixed'

function hasIssues({ attempts, issues, fixed }: RunRecord): boolean {
  return issues.length > 0 || fixed.length > 0 || attempts.some((attempt) => attempt.issues.length > 0)
}

function issueRows(run: RunRecord): readonly Row[] {
  const rows: Row[] = []
  const seen = new Set<string>()
  let position = 0
  const add = (kind: IssueKind, attempt: number, issues: readonly Issue[]): void => {
    for (const { validator, code, severity, message, hint, span, path, suggestion } of issues) {
      const before = seen.size
      seen.add(`${validator}\n${code}\n${severity}`)
      const leads = seen.size > before
      const isPlain = hint === undefined && span === undefined && path === undefined && suggestion === undefined
      // Attempts have all their issues; these rows are for searching by code.
      if (leads || kind !== 'attempt')
        rows.push({
          ...{ run_id: run.id, position, kind, attempt, at: whole(run.at), leads: leads ? 1 : 0 },
          ...{ validator: name(validator), code: name(code), severity: name(severity), message: sentence(message) },
          ...(isPlain ? {} : { detail: JSON.stringify({ hint, span, path, suggestion }) }),
        })
      position++
    }
  }
  for (const attempt of run.attempts) add('attempt', whole(attempt.number), attempt.issues)
  add('remaining', 0, run.issues)
  add('fixed', 0, run.fixed)
  return rows
}

function repairRow(run: RunRecord, repair: RunRecord['repairs'][number], position: number): Row {
  const names = { rule: name(repair.rule), class: name(repair.class) }
  return { run_id: run.id, position, ...names, detail: JSON.stringify(repair), at: whole(run.at) }
}
