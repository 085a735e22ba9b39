import { generationNodes, type NodeTrace, type QueryType } from '@stickler/ask/pipeline'
import { type CallOptions, type CheckOptions, type EnforceOptions, type Message, RunnerFailure, type StopSignal } from '@stickler/core'
import { Tally } from '@stickler/core/runners'
import type { ChatRequest, WireTurns } from '@stickler/core/wire'
import type { Mutable } from '../mutable.ts'
import type { RequestTrace } from '../records/run/run-facts.ts'
import type { Continuation, NativeRequest, UpstreamCall, UpstreamCallOptions } from '../upstreams/upstream.ts'
import { addedTurns } from './added-turns.ts'
import { Bill } from './budgets/bill.ts'
import { type AttemptReply, type CallStarter, ChoiceRunner, forOneChoice, type SideListener } from './choice-runner.ts'
import type { Conversation } from './conversation.ts'
import { forCaller } from './for-caller.ts'
import { type FailedAttemptListener, RunLog } from './run-log.ts'
import { isGuarded, type Target } from './target.ts'

/** What a request asks of the engine. */
export interface JobRequest {
  readonly target: Target
  /** The upstream request, without messages that the engine adds. */
  readonly chat: ChatRequest
  /** The same as the client sent it, for upstreams that speak its API. */
  readonly native?: Omit<NativeRequest, 'added'> & { readonly withheld: ReadonlySet<string> | undefined }
  readonly stream: boolean
  readonly context: CheckOptions['context']
  readonly requestId: string
  /** Takes turns with others. */
  readonly caller: string
  readonly signal: StopSignal
  readonly headers: Readonly<Record<string, string>>
  /** The trace of the request, for spans. */
  readonly trace?: RequestTrace | undefined
  readonly keepText: boolean
  readonly onFailed?: FailedAttemptListener | undefined
  /** The owner of the conversation, where an upstream may know it from an earlier request. */
  readonly conversation?: Conversation | undefined
  /** The result of the pipeline; its calls are billed with the first choice. */
  readonly prepared?: Prepared | undefined
}

/** What a job knows of the preparation by a pipeline. */
interface Prepared {
  /** The type whose contract applies; absent when the request ended before it was prepared. */
  readonly type?: QueryType
  /** What ended it then. */
  readonly ended?: RunnerFailure
  readonly replies: readonly AttemptReply[]
}

/** One choice of a job: its runner, its log, and what the engine is given. */
export interface Choice {
  readonly index: number
  readonly runner: ChoiceRunner
  readonly log: RunLog
  readonly options: EnforceOptions
  /** The attempts as nodes of a pipeline's graph. */
  readonly nodes?: readonly NodeTrace[]
  /** Why the model is not called. */
  readonly ended?: RunnerFailure
}

/** Prepares the choices of a request; nothing is sent before one of them is run. */
export function prepareChoices(
  request: JobRequest,
  onSide?: (choice: number) => SideListener,
  onEvent?: EnforceOptions['onEvent'],
): Choice[] {
  const count = request.chat.n ?? 1
  const starter = startCalls(request, count)
  // Choices share one budget.
  const tally = count === 1 ? undefined : new Tally()
  const choices: Choice[] = []
  for (let index = 0; index < count; index++) choices.push(prepareChoice(request, index, starter, tally, onSide?.(index), onEvent))
  return choices
}

function prepareChoice(
  { target, chat, keepText, onFailed, context = {}, signal, requestId, caller, prepared, trace }: JobRequest,
  index: number,
  starter: CallStarter,
  tally: Tally | undefined,
  onSide: SideListener | undefined,
  onEvent: EnforceOptions['onEvent'],
): Choice {
  const log = new RunLog(keepText, onFailed)
  const runner = new ChoiceRunner(index, starter, onSide, index === 0 ? prepared?.replies : undefined)
  const nodes: NodeTrace[] | undefined = prepared && []
  const generation = prepared?.type && generationNodes({ type: prepared.type, contract: target.contract }, (node) => nodes?.push(node))
  const spans = trace?.listen(index, () => runner.replies.at(-1)?.call)
  const listen: EnforceOptions['onEvent'] =
    onEvent || generation || spans
      ? (event) => {
          log.listen(event)
          onEvent?.(event)
          spans?.(event)
          generation?.(event)
        }
      : log.listen
  const options: Mutable<EnforceOptions> = {
    contract: target.contract,
    runner,
    prompt: chat.messages,
    context,
    ...forCaller(target, caller),
    signal,
    onEvent: listen,
    runId: tally === undefined ? requestId : `${requestId}-${index}`,
  }
  if (tally !== undefined) options.tally = tally
  if (nodes === undefined) return { index, runner, log, options }
  return { index, runner, log, options, nodes, ...(prepared?.ended && { ended: prepared.ended }) }
}

function startCalls(job: JobRequest, count: number): CallStarter {
  const { target, chat, stream, requestId, caller, signal, headers, conversation, trace } = job
  let shared: UpstreamCall | undefined
  const call = (
    request: ChatRequest,
    messages: readonly Message[],
    { timeLeftMs, format }: CallOptions,
    own: StopSignal,
    choice: number,
    continuation: Continuation | undefined,
  ): UpstreamCall => {
    needPreparation(job)
    // No copies that are added to: each would have hidden classes of its own.
    const options: Mutable<UpstreamCallOptions> = { requestId, caller, headers: trace?.headers(choice) ?? headers, signal: own }
    if (target.folder !== undefined) options.folder = target.folder
    if (timeLeftMs !== undefined) options.timeLeftMs = timeLeftMs
    if (format !== undefined) options.format = format
    if (continuation !== undefined) options.continuation = continuation
    const native = nativeRequest(job, messages, request !== chat)
    if (native !== undefined) options.native = native
    if (isGuarded(target)) options.isGuarded = true
    // The first call uses the client's request; a copy of that costs more than it looks.
    const isAsSent = messages === request.messages && (request.stream ?? false) === stream
    return target.upstream.call(isAsSent ? request : { ...request, messages, stream }, options)
  }
  return {
    bill: new Bill(target.price),
    request: chat,
    ...(job.native && { sent: job.native.request.body }),
    first(messages, options, choice) {
      // Several choices share the call: the end of one must not end it for the others.
      const stop = count === 1 ? stopOf(options) : signal
      shared ??= call(chat, messages, options, stop, choice, conversation?.continuation(messages))
      return shared
    },
    again: (messages, options, choice, continuation) => call(forOneChoice(chat), messages, options, stopOf(options), choice, continuation),
  }
}

/**
 * The contract of a route with a pipeline comes from the preparation: without it, answers would
 * pass unchecked.
 */
function needPreparation({ target, prepared }: JobRequest): void {
  if (target.pipeline === undefined || prepared?.type !== undefined) return
  throw prepared?.ended ?? new RunnerFailure('crash', 'the request was not prepared')
}

/**
 * The client's own request with the engine's additions; undefined where they cannot be told apart.
 */
function nativeRequest({ native, chat }: JobRequest, messages: readonly Message[], single: boolean): NativeRequest | undefined {
  const turns = native && addedTurns(chat.messages, messages)
  if (native === undefined || turns === undefined) return undefined
  const { api, request, headers, onEvents, withheld } = native
  const added: Mutable<WireTurns> = { turns: turns.turns }
  if (turns.instructions !== undefined) added.instructions = turns.instructions
  if (turns.anew !== undefined) added.anew = turns.anew
  if (withheld !== undefined) added.withheld = withheld
  if (single && chat.n !== undefined) added.single = true
  return { api, request, added, headers, onEvents }
}

/** Asking for `signal` would make one. */
function stopOf(options: CallOptions): StopSignal {
  return options.stop ?? options.signal
}
