import { type NodeTrace, type Prepared, type QueryType, queryTypes } from '@stickler/ask/pipeline'
import { type Clock, type Message, RunnerFailure, unknownName } from '@stickler/core'
import type { AttemptReply } from '../enforcement/choice-runner.ts'
import { promptTokensOf } from '../enforcement/prompt-tokens.ts'
import type { Reservation } from '../enforcement/reservation.ts'
import type { Target } from '../enforcement/target.ts'
import type { Exchange } from '../http/exchange.ts'
import { HttpError } from '../http/http-error.ts'
import type { SseWriter } from '../http/sse-writer.ts'
import type { PipelineVerdict } from '../protocols/protocol.ts'
import type { ChatRequest } from '../upstreams/upstream.ts'
import { HelperCalls } from './helper-calls.ts'
import { passageTokens } from './most-of-pipeline.ts'
import type { PipelineTarget } from './pipeline-target.ts'
import { promptFor, queryOf } from './query-of.ts'
import { withinDeadline } from './within-deadline.ts'

/** A request on a route with a pipeline, up to its generation. */
export interface PipelineRun {
  /** The target with the contract of the query's type, and the time that is left. */
  readonly target: Target
  /** What the model is asked in place of the client's messages. */
  readonly messages: readonly Message[]
  /** What checks are told beside what the client tells. */
  readonly context: Readonly<Record<string, unknown>>
  /** What clients are told of it. */
  readonly verdict: PipelineVerdict
  readonly trace: readonly NodeTrace[]
  /** Absent when the request ended before it was known. */
  readonly type?: QueryType
  /** What helpers brought, which is paid for with the request. */
  readonly replies: readonly AttemptReply[]
  /** The stream, when it was opened before. */
  readonly opened?: SseWriter
}

/** What preparing a request needs. */
export interface PreparationParts {
  readonly chat: ChatRequest
  readonly target: Target
  readonly pipeline: PipelineTarget
  /** The type that the client names, which has been checked. */
  readonly type: unknown
  readonly exchange: Pick<Exchange, 'requestId' | 'signal' | 'startedAt'>
  readonly headers: Readonly<Record<string, string>>
  readonly reservation: Reservation | undefined
  readonly clock: Clock
}

/** Refuses a request that no pipeline can work on, before anything is set aside for it. */
export function refuseWithoutQuery({ messages }: ChatRequest, type: unknown): void {
  if (queryOf(messages).query.trim() === '') throw refusal('messages', 'the last message of the user has no text to look up')
  if (type !== undefined && !queryTypes.some((one) => one === type))
    throw refusal('stickler.type', unknownName('type', String(type), queryTypes))
}

/** Prepares a request: finds out what it wants, and the passages that it needs. What ends it, the client or the deadline, is left to the engine to tell. */
export async function preparePipelineRun(parts: PreparationParts): Promise<PipelineRun> {
  const { chat, target, pipeline, type, exchange, headers, reservation, clock } = parts
  const asked = queryOf(chat.messages)
  const calls = new HelperCalls({ requestId: exchange.requestId, headers }, () => reservation?.again())
  // Beyond what was set aside nothing is sent.
  const most = promptTokensOf({ messages: chat.messages }) + passageTokens(pipeline.chunks)
  const fits = (prompt: readonly Message[]): boolean => promptTokensOf({ messages: promptFor(asked, prompt) }) <= most
  const deadlineMs = target.contract.policy.budget.deadlineMs ?? Number.POSITIVE_INFINITY
  const prepared = await untilEnded(exchange, deadlineMs - (clock.now() - exchange.startedAt), clock, (signal) =>
    pipeline.prepare(
      { query: asked.query, history: asked.history, signal, fits, ...(type === undefined ? {} : { type: type as QueryType }) },
      calls,
    ),
  )
  const left = Math.max(1, deadlineMs - (clock.now() - exchange.startedAt))
  if (prepared === undefined) {
    const verdict = { name: pipeline.name, sources: [], reformulations: 0 }
    return {
      target: { ...target, contract: withinDeadline(target.contract, left) },
      messages: chat.messages,
      context: {},
      verdict,
      trace: [],
      replies: calls.replies,
    }
  }
  const held = pipeline.targetOf(prepared)
  return {
    target: { ...target, ...held, contract: withinDeadline(held.contract, left) },
    messages: promptFor(asked, prepared.prompt),
    context: { sources: prepared.chunks.map(({ urn }) => ({ url: urn, title: urn })) },
    verdict: verdictOf(pipeline.name, prepared),
    trace: prepared.trace,
    type: prepared.type,
    replies: calls.replies,
  }
}

/** Runs a preparation until it is done, or the client or the deadline ends it, which gives nothing. */
async function untilEnded(
  { signal }: PreparationParts['exchange'],
  timeMs: number,
  clock: Clock,
  prepare: (signal: AbortSignal) => Promise<Prepared>,
): Promise<Prepared | undefined> {
  const controller = new AbortController()
  const stop = (): void => controller.abort(signal.reason)
  const cancel = timeMs === Number.POSITIVE_INFINITY ? () => {} : clock.after(Math.max(1, timeMs), stop)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    return await prepare(controller.signal)
  } catch (error) {
    if (controller.signal.aborted && error instanceof RunnerFailure && error.kind === 'aborted') return undefined
    throw error
  } finally {
    cancel()
    signal.removeEventListener('abort', stop)
  }
}

function verdictOf(name: string, { type, chunks, context_relevant, reformulations, retriever_failed, trace }: Prepared): PipelineVerdict {
  // Words of other people's services are for the log alone.
  const degraded =
    retriever_failed === undefined
      ? trace.find((node) => node.degraded !== undefined || node.left_out !== undefined || node.relevance?.fallback !== undefined)?.node
      : 'retriever'
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
