import type { AskReply } from '@stickler/ask'
import type { TraceEvent, Usage } from '@stickler/core'
import type { RunLog } from '../../enforcement/run-log.ts'
import { keptValidation } from '../../records/run/kept-validation.ts'
import type { RunRecord } from '../../records/run/run-record.ts'
import type { AskCaller } from './ask-caller.ts'

/** What a question's record is made from. */
export interface AskedRun extends Pick<RunRecord, 'id' | 'at' | 'ms' | 'stream' | 'contract'> {
  readonly log: RunLog
  readonly end: Extract<TraceEvent, { type: 'run-ended' }> | undefined
  readonly unchecked: RunRecord['unchecked']
  readonly used: Usage
}

/** The record of a question. */
export function askRecord(reply: AskReply, { requestId, identity, session, api = 'ask' }: AskCaller, run: AskedRun): RunRecord {
  const { id, at, ms, stream, contract, log, used } = run
  const { model = '' } = reply.ok ? reply.envelope : reply
  // A cached answer does not come from an earlier provider.
  const isKept = reply.ok && reply.envelope.cache_hit
  const end = isKept ? undefined : run.end
  return {
    id,
    requestId,
    choice: 0,
    ...(session === undefined ? {} : { session }),
    at,
    ms,
    api,
    stream,
    model,
    upstream: reply.upstream ?? '',
    upstreamModel: model,
    contract,
    key: identity.key,
    status: end?.status ?? (reply.ok ? reply.verdict : 'failed'),
    reason: end?.reason ?? (reply.ok ? 'cached' : 'refused'),
    httpStatus: reply.status,
    attempts: log.attempts,
    issues: end?.issues ?? [],
    fixed: [],
    repairs: [],
    unchecked: isKept ? [] : run.unchecked,
    usage: used,
    delivered: reply.ok,
    ...(reply.ok && reply.envelope.validation_status ? { facts: { [keptValidation]: reply.envelope.validation_status } } : {}),
    ...(reply.nodes === undefined ? {} : { pipeline: reply.nodes }),
    ...(reply.ok ? {} : { failure: { kind: reply.limit ?? reply.failure?.kind ?? 'refused', message: reply.error, status: reply.status } }),
  }
}
