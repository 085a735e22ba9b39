import { degradedNodes, type Prepared, queryTypeProblem } from '@stickler/ask/internal'
import type { NodeTrace, QueryType } from '@stickler/ask/pipeline'
import { type Clock, type Message, RunnerFailure } from '@stickler/core'
import { abortSignalOf, contentText, isFields, openCancelScope, requestContract } from '@stickler/core/internal'
import { type ChatRequest, HttpError, type PipelineVerdict } from '@stickler/core/internal/apis'
import type { Attempt } from '@stickler/core/internal/relay'
import type { Exchange } from '../../front/exchange.ts'
import type { SseWriter } from '../../front/replies/sse-writer.ts'
import { contractNameOf } from '../../services/contracts/pipeline-contracts.ts'
import { promptTokensOf } from '../budgets/prompt-tokens.ts'
import type { Target } from '../target.ts'
import { withinDeadline } from './bound-contract.ts'
import { PaidCalls, type PayingRequest } from './helper-calls.ts'
import { passageTokens } from './pipeline-cost-bound.ts'
import type { PipelineTarget } from './pipeline-target.ts'

/** A request on a route with a pipeline, up to its generation. */
export interface PipelineRun {
  /** The target with the contract of the query's type, and the remaining time. */
  readonly target: Target
  /** The messages for the model, instead of the client's. */
  readonly messages: readonly Message[]
  /** Additional context for checks. */
  readonly context: Readonly<Record<string, unknown>>
  /** What clients are shown of it. */
  readonly verdict: PipelineVerdict
  readonly trace: readonly NodeTrace[]
  /** The type whose contract applies; absent when the request ended before it was prepared. */
  readonly type?: QueryType
  /** What ended the request before it was prepared: no model is called then. */
  readonly ended?: RunnerFailure
  /** The usage of helpers, which is billed with the request. */
  readonly attempts: readonly Attempt[]
  /** The stream, if it was opened before. */
  readonly opened?: SseWriter
}

/** What preparing a request takes from it. */
interface PreparedRequest extends PayingRequest {
  readonly chat: ChatRequest
  readonly target: Target
  /** The client's query type, already checked. */
  readonly client: { readonly type: unknown }
  readonly caller: Pick<Exchange, 'requestId' | 'signal' | 'startedAt'>
  readonly ports: { readonly clock: Clock }
}

/** Rejects a request that no pipeline can process, before anything is reserved for it. */
export function refuseWithoutQuery({ messages }: ChatRequest, type: unknown): void {
  if (!messages.some(({ role }) => role === 'user')) throw refusal('messages', 'there is no message of the user to look up')
  if (queryOf(messages).query.trim() === '') throw refusal('messages', 'the last message of the user has no text to look up')
  const problem = type === undefined ? undefined : queryTypeProblem(type)
  if (problem !== undefined) throw refusal('stickler.type', problem)
}

/**
 * Prepares a request: classifies it and retrieves passages. If the client or the deadline ends it
 * first, that is reported with the steps that ran.
 */
export async function preparePipelineRun(request: PreparedRequest, pipeline: PipelineTarget): Promise<PipelineRun> {
  const { chat, target, client } = request
  const { type } = client
  const asked = queryOf(chat.messages)
  const calls = new PaidCalls(request)
  // Nothing beyond the reservation is sent.
  const most = promptTokensOf({ messages: chat.messages }) + passageTokens(pipeline.chunks)
  const fits = (prompt: readonly Message[]): boolean => promptTokensOf({ messages: promptFor(asked, prompt) }) <= most
  const nodes: NodeTrace[] = []
  const onNode = (node: NodeTrace): void => void nodes.push(node)
  const named = type === undefined ? {} : { type: type as QueryType }
  const prepared = await untilEnded(request, (signal) =>
    pipeline.prepare({ query: asked.query, history: asked.history, signal, fits, onNode, ...named }, calls),
  )
  if (prepared instanceof RunnerFailure) return endedRun(prepared, [...nodes], calls, request, pipeline)
  const held = pipeline.targetOf(prepared)
  return {
    target: { ...target, ...held, contract: withinDeadline(requestContract(held.contract, chat), Math.max(1, timeLeft(request))) },
    messages: promptFor(asked, prepared.prompt),
    context: { sources: prepared.chunks.map(({ urn }) => ({ url: urn, title: urn })) },
    verdict: verdictOf(pipeline.name, prepared),
    trace: prepared.trace,
    type: prepared.type,
    attempts: calls.attempts,
  }
}

/** A request that ended before it was prepared: its contract may be unknown. */
function endedRun(
  ended: RunnerFailure,
  trace: readonly NodeTrace[],
  calls: PaidCalls,
  { target, chat }: PreparedRequest,
  pipeline: PipelineTarget,
): PipelineRun {
  const type = trace.find((node) => node.type !== undefined)?.type?.is
  const reformulations = trace.filter(({ node }) => node === 'reformulate_with_hint').length
  return {
    target: type === undefined ? target : { ...target, contractName: contractNameOf(pipeline.name, type) },
    messages: chat.messages,
    context: {},
    verdict: { name: pipeline.name, sources: [], reformulations, ...(type === undefined ? {} : { type }) },
    trace,
    ended,
    attempts: calls.attempts,
  }
}

/**
 * Runs a preparation until it is done, or the client or the deadline ends it: then returns the
 * cause, even if something still hangs.
 */
async function untilEnded(
  request: PreparedRequest,
  prepare: (signal: AbortSignal) => Promise<Prepared>,
): Promise<Prepared | RunnerFailure> {
  const scope = openCancelScope(abortSignalOf(request.caller.signal), request.ports.clock)
  const left = timeLeft(request)
  const late = (): RunnerFailure => new RunnerFailure('deadline', 'the deadline passed before the request was prepared')
  if (left < Number.POSITIVE_INFINITY) scope.after(Math.max(0, left), () => scope.stop(late()))
  try {
    const prepared = await scope.hold(prepare(scope.signal))
    // Timers that end together may fire in any order.
    return timeLeft(request) < 1 ? late() : prepared
  } catch (error) {
    if (error instanceof RunnerFailure && error.kind === 'deadline') return error
    if (scope.signal.aborted && error instanceof RunnerFailure && error.kind === 'aborted') return error
    throw error
  } finally {
    scope.release()
  }
}

/** Milliseconds until the deadline, which started with the request. */
function timeLeft({ target, caller, ports }: PreparedRequest): number {
  return (target.contract.policy.budget.deadlineMs ?? Number.POSITIVE_INFINITY) - (ports.clock.now() - caller.startedAt)
}

function verdictOf(name: string, { type, chunks, context_relevant, reformulations, retriever_failed, trace }: Prepared): PipelineVerdict {
  // Messages of external services are for the log alone.
  const degraded = retriever_failed === undefined ? degradedNodes(trace)[0]?.node : 'retriever'
  return {
    name,
    type,
    ...(context_relevant === undefined ? {} : { contextRelevant: context_relevant }),
    reformulations,
    sources: chunks.map(({ urn, headings, text, score }) => ({ urn, headings, text, score })),
    ...(degraded === undefined ? {} : { degraded }),
  }
}

function refusal(param: string, message: string): HttpError {
  return new HttpError(400, `${param}: ${message}`, { param })
}

/** A conversation, split at its last question. */
interface AskedQuery {
  /** The text of the last message of a user; empty when there is none. */
  readonly query: string
  readonly history: readonly Message[]
  /** The message that asks; absent when no user says anything. */
  readonly asking: Message | undefined
  /** What follows the question, such as calls of tools and their results. */
  readonly rest: readonly Message[]
}

/** Finds the last question of a conversation. */
export function queryOf(messages: readonly Message[]): AskedQuery {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  if (at < 0) return { query: '', history: messages, asking: undefined, rest: [] }
  const asking = messages[at]
  return { query: textOf(asking?.content), history: messages.slice(0, at), asking, rest: messages.slice(at + 1) }
}

/**
 * The text of a message; parts are joined by line breaks, because words of two parts are not one
 * word.
 */
function textOf(content: unknown): string {
  if (!Array.isArray(content)) return contentText(content)
  return content
    .map((part) => contentText([part]))
    .filter((text) => text !== '')
    .join('\n')
}

/**
 * Replaces the conversation with a prepared prompt, which ends with the question; everything else
 * the client sent stays.
 */
export function promptFor({ asking, rest }: AskedQuery, prepared: readonly Message[]): readonly Message[] {
  const question = prepared.at(-1)
  if (question === undefined || asking === undefined) return [...prepared, ...rest]
  const content = contentFor(asking.content, contentText(question.content))
  return [...prepared.slice(0, -1), { ...asking, content } as Message, ...rest]
}

/** Other parts, such as pictures, stay where they are; the texts become one, in the place of the first. */
function contentFor(content: unknown, text: string): Message['content'] {
  if (!Array.isArray(content)) return text
  const first = content.findIndex(isText)
  const parts = content.filter((part, index) => index === first || !isText(part))
  return parts.map((part) => (isText(part) ? (isFields(part) ? { ...part, text } : text) : part)) as Message['content']
}

function isText(part: unknown): boolean {
  return contentText([part]) !== ''
}
