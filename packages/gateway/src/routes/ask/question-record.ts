import type { AskReply } from '@stickler/ask'
import type { TraceEvent, Usage } from '@stickler/core'
import type { RunRecord } from '../../records/run/run-record.ts'
import { keptValidation } from '../../records/run/stored-record.ts'
import { runRecord } from '../../requests/make-run-record.ts'
import type { Request } from '../../requests/request.ts'
import type { RunLog } from '../../requests/run-log.ts'
import { contractNameOf } from '../../services/contracts/pipeline-contracts.ts'
import type { AskTargets } from './ask-targets.ts'

/** What the record of a question takes from it. */
interface RecordedQuestion extends Request {
  readonly caller: Request['caller'] & { readonly session?: string }
  readonly settings: Pick<AskTargets, 'pipeline'>
  readonly log: RunLog
  readonly end: Extract<TraceEvent, { type: 'run-ended' }> | undefined
  readonly unchecked: RunRecord['unchecked']
}

/** The record of a question. */
export function questionRecord(question: RecordedQuestion, reply: AskReply, stream: boolean, usage: Usage): RunRecord {
  const { caller, settings, log, ports } = question
  const { model = '' } = reply.ok ? reply.envelope : reply
  // A cached answer does not come from an earlier provider.
  const isKept = reply.ok && reply.envelope.cache_hit
  const end = isKept ? undefined : question.end
  const found = { issues: end?.issues ?? [], fixed: [], repairs: [], unchecked: isKept ? [] : question.unchecked }
  const record = runRecord(question, found, {
    id: log.runId ?? ports.newRunId(),
    choice: 0,
    ms: question.ms,
    stream,
    model,
    upstream: reply.upstream ?? '',
    upstreamModel: model,
    contract: nameOfContract(reply, settings),
    status: end?.status ?? (reply.ok ? reply.verdict : 'failed'),
    reason: end?.reason ?? (reply.ok ? 'cached' : 'refused'),
    httpStatus: reply.status,
    attempts: log.attempts,
    usage,
  })
  record.delivered = reply.ok
  if (caller.session !== undefined) record.session = caller.session
  if (reply.nodes !== undefined) record.pipeline = reply.nodes
  if (!reply.ok) record.failure = { kind: reply.limit ?? reply.failure?.kind ?? 'refused', message: reply.error, status: reply.status }
  else if (reply.envelope.validation_status) record.facts = { [keptValidation]: reply.envelope.validation_status }
  return record
}

/** The name of the contract that a reply was checked against. */
export function nameOfContract({ nodes }: AskReply, { pipeline }: Pick<AskTargets, 'pipeline'>): string {
  const type = nodes?.find((node) => node.type !== undefined)?.type?.is
  return type === undefined || pipeline === undefined ? 'ask' : contractNameOf(pipeline.name, type)
}
