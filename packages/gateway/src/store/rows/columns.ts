import type { Issue } from '@stickler/core'
import type { KeptRun } from '../../record/kept-record.ts'
import type { AttemptsTable, IssuesTable, RepairsTable, RunsTable } from '../engine/tables.ts'
import { type ColumnValue, longText, name, optional, real, sentence, whole } from './values.ts'

type Columns<Table, Source> = Readonly<Record<Exclude<keyof Table, 'seq'>, (source: Source) => ColumnValue>>

/** A part of a run, with the run it belongs to. */
export interface Part<Of> {
  readonly run: KeptRun
  readonly position: number
  readonly of: Of
}

/** An issue with what the run knows of it. */
export interface IssuePart extends Part<Issue> {
  readonly kind: IssuesTable['kind']
  readonly attempt: number
  readonly leads: boolean
}

/** How the columns of `runs` are filled. */
export const runColumns: Columns<RunsTable, KeptRun> = {
  id: (run) => run.id,
  at: (run) => whole(run.at),
  ms: (run) => real(run.ms),
  status: (run) => name(run.status),
  attempt_count: (run) => whole(run.counts.attempts),
  issue_count: (run) => whole(run.counts.issues),
  fixed_count: (run) => whole(run.counts.fixed),
  repair_count: (run) => whole(run.counts.repairs),
  prompt_tokens: (run) => whole(run.usage.promptTokens),
  completion_tokens: (run) => whole(run.usage.completionTokens),
  cost: (run) => optional(run.usage.cost, real),
  contract: (run) => name(run.contract),
  model: (run) => name(run.model),
  api: (run) => name(run.api),
  session: (run) => optional(run.session, name),
  stream: (run) => (run.stream ? 1 : 0),
  http_status: (run) => whole(run.httpStatus),
  first_text_ms: (run) => optional(run.firstTextMs, real),
  upstream: (run) => name(run.upstream),
  upstream_model: (run) => name(run.upstreamModel),
  key_name: (run) => name(run.key),
  request_id: (run) => name(run.requestId),
  choice: (run) => whole(run.choice),
  reason: (run) => name(run.reason),
  step: (run) => optional(run.step, name),
  failure_kind: (run) => optional(run.failure?.kind, name),
  failure_status: (run) => optional(run.failure?.status, whole),
  failure_message: (run) => optional(run.failure?.message, sentence),
  unchecked: (run) => (run.unchecked.length > 0 ? JSON.stringify(run.unchecked) : null),
  request: (run) => optional(run.request, longText),
  text: (run) => optional(run.text, longText),
}

/** How the columns of `attempts` are filled. */
export const attemptColumns: Columns<AttemptsTable, Part<KeptRun['attempts'][number]>> = {
  run_id: ({ run }) => run.id,
  position: ({ position }) => position,
  number: ({ of }) => whole(of.number),
  call: ({ of }) => name(of.call),
  ms: ({ of }) => real(of.ms),
  finish_reason: ({ of }) => optional(of.finishReason, name),
  prompt_tokens: ({ of }) => optional(of.usage?.promptTokens, whole),
  completion_tokens: ({ of }) => optional(of.usage?.completionTokens, whole),
  cost: ({ of }) => optional(of.usage?.cost, real),
  stopped_at: ({ of }) => optional(of.stoppedAt, whole),
  decision: ({ of }) => optional(of.decision, name),
  text: ({ of }) => optional(of.text, longText),
  feedback: ({ of }) => optional(of.feedback, longText),
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
export const repairColumns: Columns<RepairsTable, Part<KeptRun['repairs'][number]>> = {
  run_id: ({ run }) => run.id,
  position: ({ position }) => position,
  rule: ({ of }) => name(of.rule),
  class: ({ of }) => name(of.class),
  detail: ({ of }) => JSON.stringify(of),
}
