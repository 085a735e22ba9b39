import { type Outcome, RunnerFailure, type TraceListener, type Usage } from '@stickler/core'
import { describeFailure, Result } from '@stickler/core/runners'
import {
  type Api,
  type ClientError,
  type ClientRequest,
  type FinalChoice,
  type FinalReply,
  hasDuplicateKeys,
  type ReplyFrame,
  verdictNames,
} from '@stickler/core/wire'
import { answeringReply } from '../enforcement/answering-reply.ts'
import type { Reservation } from '../enforcement/budgets/reservation.ts'
import { Conversation } from '../enforcement/conversation.ts'
import type { Choice, JobRequest } from '../enforcement/job.ts'
import type { PipelineRun } from '../enforcement/preparing/pipeline-run.ts'
import { recordOf } from '../enforcement/record-of.ts'
import { type FailedAttemptListener, noUsage } from '../enforcement/run-log.ts'
import type { Target } from '../enforcement/target.ts'
import type { Exchange } from '../front/exchange.ts'
import { describeError } from '../front/replies/errors.ts'
import { goingDown, isCutOff } from '../front/replies/going-down.ts'
import { HttpError } from '../front/replies/http-error.ts'
import type { RequestOutcome } from '../front/request-count.ts'
import { tracingHeaders } from '../front/request-id.ts'
import type { Mutable } from '../mutable.ts'
import type { RequestTrace } from '../records/run/run-facts.ts'
import type { RunRecord } from '../records/run/run-record.ts'
import { addUsage } from '../upstreams/usage.ts'
import type { ClientContext } from './client-context.ts'
import type { RouteDependencies, RouteSettings } from './dependencies.ts'
import { isNative } from './is-native.ts'
import { shownFields } from './relay/reasoning-secrets.ts'
import { finalChoice } from './reply/final-choice.ts'
import { pipelineHeaders } from './reply/pipeline-headers.ts'
import { summedUsage } from './reply/summed-usage.ts'
import { together } from './reply/together.ts'
import { troubleText } from './reply/trouble-text.ts'
import { undelivered } from './reply/violation.ts'
import { droppedHeader, headersOf } from './shared/api-headers.ts'
import { validationHeader, worstValidation } from './shared/validation-status.ts'

/** A request that was read and admitted. */
export interface Asked {
  readonly exchange: Exchange
  readonly api: Api
  readonly request: ClientRequest
  readonly client: ClientContext
  readonly settings: RouteSettings
  readonly dependencies: RouteDependencies
  /** Its reservation. */
  readonly reservation: Reservation | undefined
}

/** One client request being processed by the engine. */
export class Work {
  readonly exchange: Exchange
  readonly api: Api
  readonly request: ClientRequest
  readonly settings: RouteSettings
  readonly target: Target
  readonly client: ClientContext
  /** The result of the pipeline. */
  readonly pipeline: PipelineRun | undefined
  readonly #with: RouteDependencies
  readonly #reservation: Reservation | undefined
  readonly #at: number
  readonly #records: RunRecord[] = []
  #told: RequestOutcome = 'ok'
  readonly #conversation: Conversation | undefined
  readonly #trace: RequestTrace | undefined

  constructor(asked: Asked, target: Target, pipeline: PipelineRun | undefined) {
    const { exchange, api, request, client, settings, dependencies, reservation } = asked
    this.exchange = exchange
    this.api = api
    this.request = request
    this.client = client
    this.target = target
    this.settings = settings
    this.#with = dependencies
    this.#reservation = reservation
    this.#at = dependencies.today()
    this.pipeline = pipeline
    this.#trace = this.#startTrace()
    // Sessions would have seen the passages of earlier queries.
    this.#conversation = target.keepsSessions && pipeline === undefined ? this.#conversationOf() : undefined
  }

  /** The engine's request. */
  get job(): JobRequest {
    const { exchange, request, target, client, settings } = this
    const job: Mutable<JobRequest> = {
      target,
      chat: request.chat,
      ...this.#native(),
      stream: request.stream,
      context: client.context,
      requestId: exchange.requestId,
      caller: exchange.caller,
      signal: exchange.signal,
      headers: tracingHeaders(exchange.request.headers),
      trace: this.#trace,
      keepText: settings.keepText,
      conversation: this.#conversation,
      onFailed: this.#failed,
    }
    if (this.pipeline === undefined) return job
    const { messages, context } = this.pipeline
    return { ...job, chat: { ...request.chat, messages }, context: { ...client.context, ...context }, prepared: this.pipeline }
  }

  /** Without a contract, nothing has judged the answer. */
  readonly #failed: FailedAttemptListener = (attempt, log) => {
    if (this.target.contractName === '' && attempt.failure === undefined) return
    log.runId ??= this.#with.newRunId()
    const { requestId } = this.exchange
    this.#with.attemptFailed(attempt, { requestId, run: log.runId, contract: this.target.contractName, model: this.request.chat.model })
  }

  /** Called when provider events have arrived; set by a writer that shows them at once. */
  onEvents: (() => void) | undefined

  /** Pipelines write their own requests, and sessions are stored for translated ones. */
  #native(): Pick<JobRequest, 'native'> {
    const { wire, withheld, headers = noNames } = this.api
    if (wire === undefined || this.pipeline !== undefined || this.#conversation !== undefined) return {}
    const { exchange, request } = this
    const sent = { source: soundSource(exchange.source, request.body), body: request.body }
    const onEvents = () => this.onEvents?.()
    return { native: { api: wire.api, request: sent, headers: headersOf(exchange, headers), withheld, onEvents } }
  }

  /** Only a session that the client named can be continued, and only one answer can be its last. */
  #conversationOf(): Conversation | undefined {
    const { client, request, target, exchange } = this
    const { n = 1, model } = request.chat
    if (client.session === undefined || n !== 1) return undefined
    const names = { owner: exchange.identity.key, session: client.session, model, contract: target.contractName }
    return new Conversation(names, this.#with.sessions)
  }

  /**
   * Stores the session that has seen what the client has seen; the answer does not depend on it.
   */
  async #keepSession(choices: readonly Choice[], outcomes: readonly Outcome[]): Promise<void> {
    const { place, session } = choices[0]?.runner.replies.at(-1)?.call.head().process ?? {}
    const [outcome] = outcomes
    if (outcome?.delivered !== true || place === undefined || session === undefined) return
    const { exchange, request } = this
    try {
      await this.#conversation?.keep(place, session, request.chat.messages, outcome)
    } catch (error) {
      exchange.log.warn({ requestId: exchange.requestId, event: 'session', err: error }, 'a session could not be saved')
    }
  }

  /** The trace listener for the reservation. */
  get listener(): TraceListener | undefined {
    const reservation = this.#reservation
    if (reservation === undefined) return undefined
    return (event) => {
      if (event.type === 'attempt-started' && event.attempt > 1) reservation.again()
    }
  }

  #startTrace(): RequestTrace | undefined {
    const tracing = this.#with.trace?.()
    if (tracing === undefined) return undefined
    const { target, request, api, exchange, client } = this
    return tracing.run({
      api: api.name,
      contract: target.contractName,
      model: request.chat.model,
      places: target.places,
      stream: request.stream,
      requestId: exchange.requestId,
      session: client.session,
      body: request.body,
      headers: exchange.request.headers,
      ...(this.pipeline && { nodes: this.pipeline.trace }),
    })
  }

  /** The head of the reply. */
  frame(choices: readonly Choice[]): ReplyFrame {
    const head = choices[0] && answeringReply(choices[0])?.call.head()
    return {
      id: head?.id ?? `chatcmpl-${this.exchange.requestId}`,
      created: head?.created ?? Math.floor(this.#at / 1000),
      model: this.request.chat.model,
      fields: head === undefined ? {} : shownFields(head.fields, this.target),
    }
  }

  /** The whole reply. */
  reply(choices: readonly Choice[], outcomes: readonly Outcome[]): FinalReply {
    const { id, created, model, fields } = this.frame(choices)
    const { usage, rawUsage } = summedUsage(choices)
    const reply: Mutable<FinalReply> = {
      id,
      created,
      model,
      fields,
      choices: choices.map((choice, index) => this.choice(choice, outcomes[index] as Outcome)),
    }
    if (usage !== undefined) reply.usage = usage
    if (rawUsage !== undefined) reply.rawUsage = rawUsage
    const told = worstValidation(outcomes, this.target.contract.declared)
    if (told !== undefined) reply.validationStatus = told
    return reply
  }

  /** One choice as it is delivered. */
  choice(choice: Choice, outcome: Outcome): FinalChoice {
    const final = finalChoice(choice, outcome, this.target)
    return this.pipeline === undefined ? final : { ...final, verdict: { ...final.verdict, pipeline: this.pipeline.verdict } }
  }

  /** The error when one of the choices cannot be delivered. */
  failure(outcomes: readonly Outcome[]): HttpError | undefined {
    const bad = outcomes.find((outcome) => !outcome.delivered)
    if (bad === undefined) return undefined
    const { signal, requestId } = this.exchange
    const isLost = bad.failure?.kind === 'aborted' && isCutOff(signal)
    const described = describeError(isLost ? goingDown : undelivered(bad, this.target), requestId)
    const error = described?.error ?? gone
    const { status, type, param, code, body, provider } = error
    const { locale } = this.target.contract.policy
    const isVerdict = bad.failure === undefined
    const message = isVerdict ? error.message : troubleText(isLost ? goingDown : new HttpError(status, error.message), bad.failure, locale)
    return new HttpError(status, message, {
      type,
      ...(param === null ? {} : { param }),
      ...(code === null ? {} : { code }),
      ...(provider && { provider }),
      headers: { ...described?.headers, ...this.headers(outcomes) },
      body: { stickler: { status: bad.status, contract: this.target.contractName, attempts: bad.attempts }, ...body },
    })
  }

  /** What is recorded and sent in place of answers that could not be written: nothing more of them reaches the client. */
  unwritten(outcomes: readonly Outcome[], thrown: unknown): { readonly outcomes: readonly Outcome[]; readonly error: HttpError } {
    const { log, requestId } = this.exchange
    const isTold = thrown instanceof RunnerFailure
    if (!isTold) log.error({ err: thrown }, 'the answer could not be written')
    const failure = describeFailure(isTold ? thrown : new RunnerFailure('crash', 'the answer could not be written'))
    const failed = outcomes.map((outcome) => {
      const lost = { status: 'failed', delivered: false, text: '', toolCalls: [], reason: 'runner-failed', failure }
      return Object.assign(new Result('failed'), outcome, lost) as Outcome
    })
    const internal = () => new HttpError(500, describeError(thrown, requestId)?.error.message ?? '', { code: 'internal_error' })
    return { outcomes: failed, error: (isTold ? this.failure(failed) : undefined) ?? internal() }
  }

  /** Lets other work run before a large piece of this one. */
  async pause(): Promise<void> {
    const { executor } = this.target
    await (executor?.for?.(this.exchange.caller) ?? executor)?.pause()
  }

  /**
   * Known before the verdict: the provider's request id and rate limits, the pipeline's results,
   * and dropped fields.
   */
  openingHeaders(choices: readonly Choice[]): Readonly<Record<string, string>> {
    const { withheld } = this.api
    const names = Object.keys(this.request.body).filter((name) => name !== 'stickler' && withheld?.has(name))
    const { dropped: untranslated = none } = isNative(this.target, this.api) ? {} : this.request
    const dropped = names.length === 0 ? untranslated : [...names, ...untranslated]
    const further = choices.flatMap((choice) => choice.runner.replies.flatMap(({ call }) => call.head().dropped ?? none))
    const told = choices[0] && answeringReply(choices[0])?.call.head().headers
    const own = told === undefined ? this.pipelineHeaders : { ...told, ...this.pipelineHeaders }
    return dropped.length === 0 && further.length === 0 ? own : { ...own, ...droppedHeader([...dropped, ...further]) }
  }

  /** The headers that report the verdict. */
  headers(outcomes: readonly Outcome[]): Readonly<Record<string, string>> {
    const { contractName } = this.target
    let attempts = 0
    let worst = 'valid'
    for (const outcome of outcomes) {
      attempts = Math.max(attempts, outcome.attempts)
      if (order.indexOf(outcome.status) > order.indexOf(worst)) worst = outcome.status
    }
    return {
      'x-stickler-status': contractName === '' && worst !== 'failed' ? 'unenforced' : worst,
      'x-stickler-attempts': String(attempts),
      'x-stickler-contract': contractName,
      ...validationHeader(worstValidation(outcomes, this.target.contract.declared)),
      ...this.pipelineHeaders,
    }
  }

  /** The pipeline's results, known before the answer starts. */
  get pipelineHeaders(): Readonly<Record<string, string>> {
    return this.pipeline === undefined ? noHeaders : pipelineHeaders(this.pipeline.verdict)
  }

  /**
   * Records the run; settles when it can no longer be lost, with an error where an answer must not
   * be sent without its record.
   */
  async record(
    choices: readonly Choice[],
    outcomes: readonly Outcome[],
    httpStatus: number,
    error?: HttpError,
  ): Promise<HttpError | undefined> {
    const ms = this.#with.clock.now() - this.exchange.startedAt
    // Before the record, which marks the answer as finished: the next turn may come at once.
    if (this.#conversation !== undefined) await this.#keepSession(choices, outcomes)
    this.#told = error === undefined ? 'ok' : error.details.type === verdictNames.violated ? 'invalid' : 'error'
    for (const [index, choice] of choices.entries()) this.#records.push(this.#recordOf(choice, outcomes[index] as Outcome, ms, httpStatus))
    const kept = together(this.#records.map((record) => this.#with.recorder.run(record)))
    try {
      if (this.#reservation !== undefined) await Promise.allSettled([kept, this.#settle(this.#reservation)])
      await kept
      return undefined
    } catch (thrown) {
      if (thrown instanceof HttpError) return thrown
      throw thrown
    }
  }

  /** Before the client has its answer, so that the next request sees the remaining budget. */
  #settle(reservation: Reservation): Promise<void> {
    return reservation.settle(this.#records.reduce<Usage>((sum, { usage }) => addUsage(sum, usage) ?? sum, noUsage))
  }

  /** Counts and logs what was recorded; the client need not wait for it. */
  tell(): void {
    for (const record of this.#records.splice(0)) this.#with.observe(record, this.exchange, this.#told)
  }

  #recordOf(choice: Choice, outcome: Outcome, ms: number, httpStatus: number): RunRecord {
    const { newRunId } = this.#with
    const { exchange, request, client, settings, target, api } = this
    return recordOf(choice, outcome, target, {
      id: choice.log.runId ?? newRunId(),
      requestId: exchange.requestId,
      session: client.session,
      api: api.name,
      stream: request.stream,
      model: request.chat.model,
      key: exchange.identity.key,
      at: this.#at,
      ms,
      httpStatus,
      keepText: settings.keepText,
      question: client.context.question,
      pipeline: this.pipeline,
    })
  }
}

const gone: ClientError = { status: 499, message: 'The client disconnected.', type: 'aborted', param: null, code: null, body: {} }

const none: readonly string[] = []

/** The body as sent, unless a provider could read it differently than it was checked here. */
function soundSource(source: string, body: ClientRequest['body']): string {
  const written = JSON.stringify(body)
  return source === written || !hasDuplicateKeys(source) ? source : written
}

const noNames: readonly string[] = []
const noHeaders: Readonly<Record<string, string>> = {}

/** From best to worst. */
const order: readonly string[] = ['valid', 'repaired', 'unchecked', 'unresolved', 'failed']
