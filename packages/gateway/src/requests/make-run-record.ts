import type { Failure, Message, Outcome } from '@stickler/core'
import {
  clamp,
  contentText,
  type Declarations,
  type FactSource,
  type Fields,
  hidden,
  hideArguments,
  omittedContext,
  ownFormat,
} from '@stickler/core/internal'
import { choiceUsage, type Mutable, type ProcessNotes, type ReplyHead } from '@stickler/core/internal/relay'
import { createRedactor } from '../records/masking/redact.ts'
import { keptCalls } from '../records/run/kept-calls.ts'
import type { AttemptRecord, PromptMessage, RunRecord } from '../records/run/run-record.ts'
import { inferredStep, keptModel, keptStep } from '../records/run/stored-names.ts'
import { keptValidation } from '../records/run/stored-record.ts'
import { keptStderr } from '../records/run/stored-stderr.ts'
import type { Choice } from './choice.ts'
import type { ClientContext } from './client-context.ts'
import type { PipelineRun } from './pipeline/pipeline-run.ts'
import type { Request } from './request.ts'
import { recordedKind } from './run-log.ts'
import type { Target } from './target.ts'

/** What checking an answer gave. */
type Findings = Pick<RunRecord, 'issues' | 'fixed' | 'repairs' | 'unchecked'>

/** What is recorded of an answer beside its request and findings. */
type Answered = Omit<
  RunRecord,
  | keyof Findings
  | 'requestId'
  | 'at'
  | 'api'
  | 'key'
  | 'session'
  | 'firstTextMs'
  | 'addedMs'
  | 'facts'
  | 'request'
  | 'failure'
  | 'delivered'
  | 'fallback'
  | 'skipped'
  | 'pipeline'
  | 'text'
  | 'context'
  | 'toolCalls'
  | 'prompt'
  | 'timeline'
>

/** The record of an answer, whatever the route of its request; what only some have is added to it. */
export function runRecord({ caller, way, at }: Request, found: Findings, run: Answered): Mutable<RunRecord> {
  const lastCall = run.attempts.at(-1)
  const record: Mutable<RunRecord> = {
    id: run.id,
    requestId: caller.requestId,
    choice: run.choice,
    at,
    ms: run.ms,
    api: way,
    stream: run.stream,
    model: run.model,
    upstream: run.upstream,
    upstreamModel: run.upstreamModel,
    contract: run.contract,
    key: caller.identity.key,
    status: run.status,
    reason: run.reason,
    httpStatus: run.httpStatus,
    attempts: run.attempts,
    issues: found.issues,
    fixed: found.fixed,
    repairs: found.repairs,
    unchecked: found.unchecked,
    usage: run.usage,
  }
  if (lastCall !== undefined) record.addedMs = Math.max(0, run.ms - lastCall.ms)
  return record
}

const longestRequest = 500

/** What the record of a choice takes from its request. */
interface RecordedRequest extends Request {
  readonly client: Pick<ClientContext, 'session' | 'context'>
  readonly sent: { readonly stream: boolean; readonly chat: { readonly model: string } }
  readonly target: Target
  readonly keepText: boolean
  readonly pipeline: Pick<PipelineRun, 'trace'> | undefined
  /** What checks are given. */
  readonly context: Readonly<Record<string, unknown>>
  readonly chat: Fields & { readonly messages: readonly Message[] }
  /** The messages of the first call, with what the engine added. */
  readonly asked: readonly Message[] | undefined
}

/** The record of one enforced choice. */
export function choiceRecord(request: RecordedRequest, choice: Choice, outcome: Outcome, ms: number, httpStatus: number): RunRecord {
  const { client, sent, target, keepText, pipeline } = request
  const { log } = choice
  const { model } = sent.chat
  const call = choice.answering?.call
  // An answer that was not delivered does not advance a session.
  const facts = outcome.delivered ? keptFacts(outcome, target.contract.declared) : undefined
  const told = outcome.validationStatus
  const record = runRecord(request, outcome, {
    id: log.runId ?? request.ports.newRunId(),
    choice: choice.index,
    ms,
    stream: sent.stream,
    model,
    upstream: call?.upstream() ?? target.upstream.name,
    upstreamModel: answeringModel(call?.head(), target.places[0]?.model ?? model, model, keepText),
    contract: target.contractName,
    status: target.contractName === '' && outcome.status !== 'failed' ? 'unenforced' : outcome.status,
    reason: outcome.reason,
    httpStatus,
    attempts: target.keepsSessions ? attemptsOf(choice, keepText) : log.attempts,
    usage: choiceUsage(choice),
  })
  record.delivered = outcome.delivered
  if (outcome.fallback) record.fallback = true
  if (outcome.skipped !== undefined) record.skipped = outcome.skipped.join(', ')
  if (client.session !== undefined) record.session = client.session
  if (sent.stream && log.firstTextMs !== undefined) {
    record.firstTextMs = log.firstTextMs
    const { timeline } = log
    if (timeline !== undefined) record.timeline = timeline
  }
  if (facts !== undefined) record.facts = facts
  if (told) record.facts = { ...facts, [keptValidation]: told }
  if (outcome.failure) record.failure = failureOf(outcome.failure)
  if (pipeline !== undefined) record.pipeline = [...pipeline.trace, ...(choice.nodes ?? [])]
  if (keepText) {
    record.text = keptText(choice, outcome, target)
    if (outcome.toolCalls.length > 0) record.toolCalls = keptCalls(hideArguments(target.contract, outcome.toolCalls))
    record.request = String(client.context.question ?? '').slice(0, longestRequest)
    record.context = keptContext(request)
    if (request.asked !== undefined) record.prompt = keptPrompt(request.asked, request.chat.messages)
  }
  return record
}

const longestContext = 32_768

/** The question is kept by itself, and most requests offer no tools; the format has the schema that answers are judged by. */
function keptContext({ context, chat }: Pick<RecordedRequest, 'context' | 'chat'>): NonNullable<RunRecord['context']> {
  const { question: _question, tools, ...others } = context
  const told = { ...others, ...(Array.isArray(tools) && tools.length === 0 ? {} : { tools }), responseFormat: ownFormat(chat) }
  const { length } = JSON.stringify(told)
  return length > longestContext ? { [omittedContext]: length } : told
}

/** The first messages have the instructions, the last ones the question. */
const kept = { first: 4, last: 12, chars: 4000 } as const

function keptPrompt(messages: readonly Message[], given: readonly Message[]): readonly PromptMessage[] {
  const left = messages.length - kept.first - kept.last
  const shown = left <= 0 ? messages : [...messages.slice(0, kept.first), ...messages.slice(-kept.last)]
  const own = new Set(given)
  return shown.map((message, at) => {
    const text = contentText(message.content)
    const one: Mutable<PromptMessage> = { role: message.role, text: clamp(text, kept.chars) }
    if (text.length > kept.chars) one.cut = text.length
    if (left > 0 && at === kept.first - 1) one.more = left
    if (!own.has(message)) one.added = true
    return one
  })
}

/** The answer or, where it may contain secrets, the text in the trace. */
function keptText({ log }: Choice, { text, issues, unchecked }: Outcome, { contract }: Target): string {
  const secretive = contract.validators.filter(({ prepared }) => prepared.secret).map(({ name }) => name)
  if (secretive.length === 0 || ![...issues, ...unchecked].some(({ validator }) => secretive.includes(validator))) return text
  const answering = log.attempts.find(({ number }) => number === log.answering) ?? log.attempts.at(-1)
  return answering?.text ?? hidden
}

/** The facts of an answer that are declared to be stored; undefined when it has none. */
function keptFacts({ facts, repairs }: Outcome, declared: Declarations | undefined): RunRecord['facts'] {
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
  const { step } = declared
  if (step) keep(keptStep, step)
  if (kept?.[keptStep] !== undefined && repairs.some(({ rule }) => step?.inferredBy?.includes(rule))) kept[inferredStep] = 'yes'
  return kept
}

/** The attempts with details of their processes. */
function attemptsOf({ log, attempts }: Choice, keepText: boolean): readonly AttemptRecord[] {
  return log.attempts.map((attempt, index) => {
    const { resumption, ...notes }: Partial<ProcessNotes> = attempts[index]?.call.head().process ?? {}
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

function failureOf(failure: Failure): NonNullable<RunRecord['failure']> {
  const { message, status } = failure
  return { kind: recordedKind(failure), message: redact(message), ...(status === undefined ? {} : { status }) }
}
