import type { Declarations, FactSource, Outcome } from '@stickler/core'
import type { Mutable } from '../mutable.ts'
import { createRedactor } from '../records/masking/redact.ts'
import { keptModel } from '../records/run/kept-names.ts'
import { keptStderr } from '../records/run/kept-stderr.ts'
import { keptStep } from '../records/run/kept-step.ts'
import { keptValidation } from '../records/run/kept-validation.ts'
import type { ApiName, AttemptRecord, RunRecord } from '../records/run/run-record.ts'
import type { ProcessNotes, ReplyHead } from '../upstreams/upstream.ts'
import { answeringReply } from './answering-reply.ts'
import { usageOf } from './budgets/usage-of.ts'
import type { Choice } from './job.ts'
import type { PipelineRun } from './preparing/pipeline-run.ts'
import type { Target } from './target.ts'

const longestRequest = 500

/** What a request's record is made from. */
export interface RunSurroundings {
  readonly id: string
  readonly requestId: string
  readonly session: string | undefined
  readonly api: ApiName
  readonly stream: boolean
  /** The model that the client requested. */
  readonly model: string
  readonly key: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly ms: number
  readonly httpStatus: number
  readonly keepText: boolean
  /** The request. */
  readonly question: unknown
  /** What a pipeline did before. */
  readonly pipeline?: Pick<PipelineRun, 'trace'> | undefined
}

/** The record of one enforced choice. */
export function recordOf(choice: Choice, outcome: Outcome, target: Target, around: RunSurroundings): RunRecord {
  const { index, log } = choice
  const call = answeringReply(choice)?.call
  const { id, requestId, session, api, stream, model, key, at, ms, httpStatus, keepText } = around
  // An answer that was not delivered does not advance a session.
  const facts = outcome.delivered ? keptFacts(outcome, target.contract.declared) : undefined
  const told = outcome.validationStatus
  const record: Mutable<RunRecord> = {
    id,
    requestId,
    choice: index,
    at,
    ms,
    api,
    stream,
    model,
    upstream: call?.upstream() ?? target.upstream.name,
    upstreamModel: answeringModel(call?.head(), target.places[0]?.model ?? model, model, keepText),
    contract: target.contractName,
    key,
    status: target.contractName === '' && outcome.status !== 'failed' ? 'unenforced' : outcome.status,
    reason: outcome.reason,
    httpStatus,
    attempts: target.keepsSessions ? attemptsOf(choice, keepText) : log.attempts,
    issues: outcome.issues,
    fixed: outcome.fixed,
    repairs: outcome.repairs,
    unchecked: outcome.unchecked,
    usage: usageOf(choice),
    delivered: outcome.delivered,
  }
  if (session !== undefined) record.session = session
  if (stream && log.firstTextMs !== undefined) record.firstTextMs = log.firstTextMs
  if (facts !== undefined) record.facts = facts
  if (told) record.facts = { ...facts, [keptValidation]: told }
  if (outcome.failure) record.failure = failureOf(outcome.failure)
  if (around.pipeline !== undefined) record.pipeline = [...around.pipeline.trace, ...(choice.nodes ?? [])]
  if (keepText) {
    record.text = keptText(choice, outcome, target)
    record.request = String(around.question ?? '').slice(0, longestRequest)
  }
  return record
}

/** The answer or, where it may contain secrets, the text in the trace. */
function keptText({ log }: Choice, { text, issues, unchecked }: Outcome, { contract }: Target): string {
  const secretive = contract.validators.filter(({ prepared }) => prepared.secret).map(({ name }) => name)
  if (secretive.length === 0 || ![...issues, ...unchecked].some(({ validator }) => secretive.includes(validator))) return text
  const answering = log.attempts.find(({ number }) => number === log.answering) ?? log.attempts.at(-1)
  return answering?.text ?? '[hidden]'
}

/** The facts of an answer that are declared to be stored; undefined when it has none. */
function keptFacts({ facts }: Outcome, declared: Declarations | undefined): RunRecord['facts'] {
  if (declared === undefined) return undefined
  let kept: Record<string, string> | undefined
  const keep = (name: string, { validator, fact }: FactSource): void => {
    const value = facts[validator]?.[fact]
    if (typeof value !== 'string') return
    kept ??= {}
    kept[name] = value
  }
  // A fact of the same name is not the step, and is omitted.
  for (const name in declared.facts) if (name !== keptStep) keep(name, declared.facts[name] as FactSource)
  if (declared.step) keep(keptStep, declared.step)
  return kept
}

/** The attempts with details of their processes. */
function attemptsOf({ log, runner }: Choice, keepText: boolean): readonly AttemptRecord[] {
  return log.attempts.map((attempt, index) => {
    const { resumption, ...notes }: Partial<ProcessNotes> = runner.replies[index]?.call.head().process ?? {}
    const kept = keptStderr(notes, keepText)
    return { ...attempt, ...(resumption === undefined ? {} : { resumption }), ...(kept === '' ? {} : { stderr: kept }) }
  })
}

/** A provider's name for its model is untrusted text. */
function answeringModel(head: ReplyHead | undefined, first: string, model: string, keepText: boolean): string {
  const { model: said, asked = first } = head ?? {}
  if (said === undefined) return asked
  return keepText ? said : keptModel(said, [asked, model])
}

// A provider's message may repeat the request, and more.
const redact = createRedactor()

function failureOf({ kind, message, status }: NonNullable<Outcome['failure']>): NonNullable<RunRecord['failure']> {
  return { kind, message: redact(message), ...(status === undefined ? {} : { status }) }
}
