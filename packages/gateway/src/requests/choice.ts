import { generationNodes, type NodeTrace, type QueryType } from '@stickler/ask/pipeline'
import type { Answer, Clock, EnforceOptions, RunnerFailure } from '@stickler/core'
import type { Tally } from '@stickler/core/internal'
import type { ChatRequest, ChoiceEnd, ClientRequest } from '@stickler/core/internal/apis'
import {
  type ArrivalListener,
  type Attempt,
  type Calls,
  type ChoiceListeners,
  endedAnswer,
  type Mutable,
  type RelayedChoice,
  UpstreamRunner,
} from '@stickler/core/internal/relay'
import type { RequestTrace } from '../records/run/run-facts.ts'
import { forCaller } from './caller-ports.ts'
import type { Caller } from './request.ts'
import { type FailedAttempts, RunLog } from './run-log.ts'
import type { Target } from './target.ts'

/** What a choice takes from its request. */
export interface ChoiceRequest extends Calls, FailedAttempts {
  readonly target: Target
  /** The upstream request, without messages that the engine adds. */
  readonly chat: ChatRequest
  /** For checks. */
  readonly context: Readonly<Record<string, unknown>>
  readonly caller: Pick<Caller, 'requestId' | 'caller' | 'signal'>
  readonly trace: RequestTrace | undefined
  readonly keepText: boolean
  readonly sent: Pick<ClientRequest, 'stream' | 'body'>
  readonly ports: { readonly clock: Clock }
  /** The result of the pipeline; its calls are billed with the first choice. */
  readonly pipeline: Prepared | undefined
}

/** What is known of the preparation by a pipeline. */
interface Prepared {
  /** The type whose contract applies; absent when the request ended before it was prepared. */
  readonly type?: QueryType
  /** What ended it then. */
  readonly ended?: RunnerFailure
  readonly attempts: readonly Attempt[]
}

const nothing: readonly Attempt[] = []

/** One choice of a request: its attempts, its log, and what the engine is given. */
export class Choice extends UpstreamRunner implements RelayedChoice {
  readonly log: RunLog
  readonly options: EnforceOptions
  /** Calls before the first attempt, which are billed with it. */
  readonly before: readonly Attempt[]
  /** The attempts as nodes of a pipeline's graph. */
  readonly nodes: NodeTrace[] | undefined
  /** The first answer, for a shadow contract. */
  readonly first: FirstAnswer | undefined
  /** Why the model is not called. */
  readonly ended: RunnerFailure | undefined

  constructor(request: ChoiceRequest, index: number, tally: Tally | undefined, { onArrival, onEvent }: ChoiceListeners) {
    const first = request.target.shadow && new FirstAnswer()
    const isStreamed = request.sent.stream
    const log = new RunLog(request.keepText, request, isStreamed ? request.ports.clock : undefined)
    const arrived = isStreamed ? noting(log, onArrival?.(index)) : onArrival?.(index)
    super(request, index, first?.listener(arrived) ?? arrived)
    this.first = first
    const { target, caller, pipeline, trace } = request
    this.log = log
    this.before = (index === 0 ? pipeline?.attempts : undefined) ?? nothing
    this.nodes = pipeline && []
    this.ended = pipeline?.ended
    const { ports, executor } = forCaller(target, caller.caller)
    const options: Mutable<EnforceOptions> = {
      contract: target.contract,
      runner: this,
      prompt: request.chat.messages,
      context: request.context,
      ports,
      executor,
      signal: caller.signal,
      onEvent: onEvent || pipeline?.type || trace ? this.#listener(request, onEvent) : this.log.listen,
      runId: tally === undefined ? caller.requestId : `${caller.requestId}-${index}`,
    }
    if (tally !== undefined) options.tally = tally
    this.options = options
  }

  /** The attempt that the client gets: the last one, or an earlier one if the engine went back to it. */
  get answering(): Attempt | undefined {
    return this.attempts[(this.log.answering ?? this.attempts.length) - 1]
  }

  #listener({ target, pipeline, trace }: ChoiceRequest, onEvent: EnforceOptions['onEvent']): NonNullable<EnforceOptions['onEvent']> {
    const { log, nodes } = this
    const generation = pipeline?.type && generationNodes({ type: pipeline.type, contract: target.contract }, (node) => nodes?.push(node))
    const spans = trace?.listen(this.index, () => this.attempts.at(-1)?.call)
    return (event) => {
      log.listen(event)
      onEvent?.(event)
      spans?.(event)
      generation?.(event)
    }
  }
}

/** Notes when text came, then lets another listener have it. */
function noting(log: RunLog, other: ArrivalListener | undefined): ArrivalListener {
  return (event) => {
    if (event.type === 'text') log.arrive(event.text)
    other?.(event)
  }
}

/** Keeps the first answer of a choice as the model sent it, beside what the engine makes of it. */
class FirstAnswer {
  #pieces: string[] = []
  #end: ChoiceEnd | undefined

  /** Takes what arrives, then lets another listener have it. */
  listener(other: ArrivalListener | undefined): ArrivalListener {
    return (event) => {
      if (this.#end === undefined) {
        if (event.type === 'text') this.#pieces.push(event.text)
        else if (event.type === 'end') this.#end = event
      }
      other?.(event)
    }
  }

  /** The answer; undefined if the model did not come to its end. */
  take(): Answer | undefined {
    const end = this.#end
    const pieces = this.#pieces
    this.#pieces = []
    return end && endedAnswer(pieces.join(''), end)
  }
}
