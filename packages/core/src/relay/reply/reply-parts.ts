import { writeToolCalls } from '../../answer/tool-calls.ts'
import type { PipelineVerdict } from '../../apis/reply/pipeline-verdict.ts'
import type { FinalChoice, FinalReply, ReplyFrame, Verdict } from '../../apis/shared/api.ts'
import type { ClientError } from '../../apis/shared/client-error.ts'
import { HttpError } from '../../apis/shared/http-error.ts'
import { changedCopies, withoutOtherCopies } from '../../apis/shared/message-copies.ts'
import type { Declarations } from '../../contract/configuration/declarations.ts'
import type { Issue } from '../../contract/issue.ts'
import type { Failure, Outcome } from '../../engine/outcome.ts'
import { describeFailure } from '../../engine/outcome.ts'
import { Result } from '../../engine/results/result.ts'
import { RunnerFailure } from '../../engine/runner-failure.ts'
import { describeError } from '../errors/describe-error.ts'
import type { Mutable } from '../mutable.ts'
import type { RelayedChoice, RelayedRequest, RelayTarget } from '../relayed-request.ts'
import { troubleText } from './error-text.ts'
import { reasoningSecrets, shownFields } from './reasoning-secrets.ts'
import { summedUsage } from './reply-usage.ts'
import { isWebAddress, linkIssues, passedFields } from './safe-links.ts'
import { validationHeader, worstValidation } from './validation-status.ts'
import { undelivered } from './violation.ts'

/** Longest name of a field in the header. */
const longestDroppedName = 80
const mostDroppedNames = 32
const mostDroppedCharacters = 900

/** The header that lists dropped fields; empty when there are none. */
export function droppedHeader(names: readonly string[]): Readonly<Record<string, string>> {
  if (names.length === 0) return noHeaders
  const told: string[] = []
  let length = 0
  for (const name of new Set(names.map(nameInHeader))) {
    length += name.length + 2
    if (told.length === mostDroppedNames || length > mostDroppedCharacters) return { 'x-stickler-dropped': `${told.join(', ')}, ...` }
    told.push(name)
  }
  return { 'x-stickler-dropped': told.join(', ') }
}

/** Names of unknown fields come from clients. */
function nameInHeader(name: string): string {
  return name.slice(0, longestDroppedName).replace(/[^\w.[\]-]/g, '_')
}

/** The head of the reply to a request. */
export function replyFrame({ choices, caller, at, sent, target, shownModel }: RelayedRequest): ReplyFrame {
  const head = choices[0]?.answering?.call.head()
  return {
    id: head?.id ?? `chatcmpl-${caller.requestId}`,
    created: head?.created ?? Math.floor(at / 1000),
    model: shownModel ?? head?.model ?? sent.chat.model,
    fields: head === undefined ? {} : shownFields(head.fields, target),
  }
}

/** The answers of a reply, and the verdict on them: all that is not the provider's in a reply of its own. */
export type Delivered = Pick<FinalReply, 'choices' | 'validationStatus'>

/** The answers as they are delivered. */
export function delivered(request: RelayedRequest, outcomes: readonly Outcome[]): Delivered {
  const choices = request.choices.map((choice, index) => deliveredChoice(request, choice, outcomes[index] as Outcome))
  const validationStatus = worstValidation(outcomes, request.target.contract.declared)
  return validationStatus === undefined ? { choices } : { choices, validationStatus }
}

/** The whole reply. */
export function finalReply(request: RelayedRequest, outcomes: readonly Outcome[], answers = delivered(request, outcomes)): FinalReply {
  return { ...replyFrame(request), ...summedUsage(request.choices), ...answers }
}

/** One choice as it is delivered. */
export function deliveredChoice({ target, pipeline }: RelayedRequest, choice: RelayedChoice, outcome: Outcome): FinalChoice {
  const final = finalChoice(choice, outcome, target)
  return pipeline === undefined ? final : { ...final, verdict: { ...final.verdict, pipeline: pipeline.verdict } }
}

/** The error when one of the choices cannot be delivered. */
export function failureOf(request: RelayedRequest, outcomes: readonly Outcome[]): HttpError | undefined {
  const bad = outcomes.find((outcome) => !outcome.delivered)
  if (bad === undefined) return undefined
  const { target, caller } = request
  const lost = bad.failure?.kind === 'aborted' ? request.cutOff() : undefined
  const described = describeError(lost ?? undelivered(bad, target, request.errorTerms), caller.requestId)
  const error = described?.error ?? gone
  const { status, type, param, code, body, provider } = error
  const { locale } = target.contract.policy
  const isVerdict = bad.failure === undefined
  const message = isVerdict ? error.message : troubleText(lost ?? new HttpError(status, error.message), bad.failure, locale)
  return new HttpError(status, message, {
    type,
    ...(param === null ? {} : { param }),
    ...(code === null ? {} : { code }),
    ...(provider && { provider }),
    headers: { ...described?.headers, ...verdictHeaders(request, outcomes) },
    body: { stickler: { status: bad.status, contract: target.contractName, attempts: bad.attempts }, ...body },
  })
}

/** What is recorded and sent in place of answers that could not be written: nothing more of them reaches the client. */
export function unwritten(
  request: RelayedRequest,
  outcomes: readonly Outcome[],
  thrown: unknown,
): { readonly outcomes: readonly Outcome[]; readonly error: HttpError } {
  const { log, requestId } = request.caller
  const isTold = thrown instanceof RunnerFailure
  if (!isTold) log.error({ err: thrown }, 'the answer could not be written')
  const failure = describeFailure(isTold ? thrown : new RunnerFailure('crash', 'the answer could not be written'))
  const failed = outcomes.map((outcome) => {
    const lost = { status: 'failed', delivered: false, text: '', toolCalls: [], reason: 'runner-failed', failure }
    return Object.assign(new Result('failed'), outcome, lost) as Outcome
  })
  const internal = () => new HttpError(500, describeError(thrown, requestId)?.error.message ?? '', { code: 'internal_error' })
  return { outcomes: failed, error: (isTold ? failureOf(request, failed) : undefined) ?? internal() }
}

/**
 * Known before the verdict: the provider's request id and rate limits, the pipeline's results,
 * and dropped fields.
 */
export function openingHeaders({ api, sent, isNative, choices, pipeline }: RelayedRequest): Readonly<Record<string, string>> {
  const dropped: string[] = []
  for (const name in sent.body) if (name !== 'stickler' && api.withheld?.has(name)) dropped.push(name)
  const { dropped: untranslated = none } = isNative ? {} : sent
  for (const name of untranslated) dropped.push(name)
  for (const { attempts } of choices) for (const { call } of attempts) for (const name of call.head().dropped ?? none) dropped.push(name)
  const told = choices[0]?.answering?.call.head().headers
  const prepared = pipeline && pipelineHeaders(pipeline.verdict)
  const own = told === undefined ? (prepared ?? noHeaders) : { ...told, ...prepared }
  return dropped.length === 0 ? own : { ...own, ...droppedHeader(dropped) }
}

/** The headers that report the verdict. */
export function verdictHeaders({ target, pipeline }: RelayedRequest, outcomes: readonly Outcome[]): Readonly<Record<string, string>> {
  const { contractName, contract } = target
  let attempts = 0
  let worst = 'valid'
  let isFallback = false
  for (const outcome of outcomes) {
    attempts = Math.max(attempts, outcome.attempts)
    if (order.indexOf(outcome.status) > order.indexOf(worst)) worst = outcome.status
    isFallback ||= outcome.fallback === true
  }
  return {
    'x-stickler-status': contractName === '' && worst !== 'failed' ? 'unenforced' : worst,
    'x-stickler-attempts': String(attempts),
    'x-stickler-contract': contractName,
    ...(isFallback && { 'x-stickler-fallback': 'true' }),
    ...validationHeader(worstValidation(outcomes, contract.declared)),
    ...(pipeline && pipelineHeaders(pipeline.verdict)),
  }
}

const gone: ClientError = { status: 499, message: 'The client disconnected.', type: 'aborted', param: null, code: null, body: {} }
const none: readonly string[] = []
const noHeaders: Readonly<Record<string, string>> = {}

/** From best to worst. */
const order: readonly string[] = ['valid', 'repaired', 'unchecked', 'unresolved', 'failed']

/** A choice as delivered: the provider's own message, with the accepted text and tool calls. */
function finalChoice(choice: RelayedChoice, outcome: Outcome, target: RelayTarget): FinalChoice {
  const { index, options, answering } = choice
  if (outcome.fallback) return fallbackChoice(index, outcome, target)
  const end = answering?.end
  const { text, toolCalls } = outcome
  const annotations = annotationsOf(outcome, options.contract.declared, options.context?.sources)
  const isUntouched = outcome.attempts === 1 && outcome.repairs.length === 0
  const given = end?.message ?? { role: 'assistant' }
  const secrets = reasoningSecrets(target)
  const passed = passedFields(isUntouched ? given : rewritten(given, outcome), target)
  const message = secrets?.without(passed) ?? passed
  const notes = linkIssues([given, end?.fields, answering?.call.head().fields], end?.references ?? [], target)
  const madeCalls = toolCalls.length > 0 && (end?.toolCalls.length ?? 0) === 0
  return {
    index,
    text,
    toolCalls,
    finishReason: madeCalls ? 'tool_calls' : (end?.finishReason ?? null),
    ...(end?.wire === undefined || madeCalls ? {} : { wire: end.wire }),
    message: annotations.length === 0 ? message : { ...message, annotations },
    fields: shownFields(isUntouched ? (end?.fields ?? {}) : withoutLogprobs(end?.fields ?? {}), target),
    verdict: verdictOf(outcome, target, message === passed ? notes : [...notes, ...(secrets?.notes ?? [])]),
  }
}

/** The contract's fallback: nothing of the rejected answer goes with it. */
function fallbackChoice(index: number, outcome: Outcome, target: RelayTarget): FinalChoice {
  const { text } = outcome
  const message = { role: 'assistant', content: text }
  return { index, text, toolCalls: [], finishReason: 'stop', message, fields: {}, verdict: verdictOf(outcome, target, []) }
}

/** What is reported about an answer. */
function verdictOf(outcome: Outcome, { contractName }: RelayTarget, further: readonly Issue[]): Verdict {
  const { status, attempts, fixed, repairs, unchecked, skipped, fallback, failure, validationStatus } = outcome
  const issues = further.length === 0 ? outcome.issues : [...outcome.issues, ...further]
  const told = contractName === '' ? 'unenforced' : status
  const names = unchecked.map(({ validator }) => validator)
  const verdict: Mutable<Verdict> = { status: told, contract: contractName, attempts, issues, fixed, repairs, unchecked: names }
  if (skipped !== undefined) verdict.skipped = skipped
  if (fallback) verdict.fallback = fallback
  if (failure !== undefined) verdict.failure = shownFailure(failure)
  if (validationStatus !== undefined) verdict.validationStatus = validationStatus
  return verdict
}

/** Not the message: a provider's may repeat the request. */
function shownFailure({ kind, status }: Failure): NonNullable<Verdict['failure']> {
  return status === undefined ? { kind } : { kind, status }
}

function rewritten(given: Readonly<Record<string, unknown>>, { text, toolCalls }: Outcome): Readonly<Record<string, unknown>> {
  const own = withoutOtherCopies(given)
  const message = { ...own, ...changedCopies(own, text), content: text === '' && toolCalls.length > 0 ? null : text }
  return writeToolCalls(message, toolCalls) as Readonly<Record<string, unknown>>
}

/** Log probabilities do not apply to a text that is assembled or repaired. */
function withoutLogprobs({ logprobs: _logprobs, ...fields }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return fields
}

/** A valid citation, in the format of chat completions. */
interface UrlCitation {
  readonly type: 'url_citation'
  readonly url_citation: { readonly start_index: number; readonly end_index: number; readonly url: string; readonly title: string }
}

/** The citations of an answer whose sources have an address, where a fact is declared to list them. */
export function annotationsOf(
  { facts }: Pick<Outcome, 'facts'>,
  declared: Declarations | undefined,
  sources: unknown,
): readonly UrlCitation[] {
  const from = declared?.citations
  const found: unknown = from && facts[from.validator]?.[from.fact]
  if (!Array.isArray(found) || !Array.isArray(sources)) return []
  return found.flatMap((citation: unknown) => {
    const { span, sourceIndex } = citation as { readonly span: { start: number; end: number }; readonly sourceIndex: number }
    const source: unknown = sources[sourceIndex]
    if (typeof source !== 'object' || source === null) return []
    const { url, title } = source as { readonly url?: unknown; readonly title?: unknown }
    if (typeof url !== 'string' || !isWebAddress(url)) return []
    const named = typeof title === 'string' ? title : url
    return [{ type: 'url_citation' as const, url_citation: { start_index: span.start, end_index: span.end, url, title: named } }]
  })
}

/** The headers that report a pipeline's results. */
function pipelineHeaders({ type, contextRelevant, degraded }: PipelineVerdict): Readonly<Record<string, string>> {
  return {
    ...(type === undefined ? {} : { 'x-stickler-query-type': type }),
    ...(contextRelevant === undefined ? {} : { 'x-stickler-context-relevant': String(contextRelevant) }),
    ...(degraded === undefined ? {} : { 'x-stickler-degraded': degraded }),
  }
}
