import { validationOf } from '@stickler/ask/internal'
import { type CallOptions, type Message, type Outcome, RunnerFailure, type StopSignal, type Usage } from '@stickler/core'
import { type AnswerFormat, attempting, type Declarations, type MaybePromise, Tally, whenReady } from '@stickler/core/internal'
import {
  type Api,
  type ChatRequest,
  type ClientRequest,
  HttpError,
  type Price,
  verdictNames,
  type WireTurns,
} from '@stickler/core/internal/apis'
import {
  type Attempt,
  addedTurns,
  addUsage,
  type ChoiceListeners,
  type Continuation,
  type ErrorTerms,
  errorText,
  forOneChoice,
  isGuarded,
  type Mutable,
  type NativeRequest,
  type RelayedRequest,
  soundSource,
  type UpstreamCall,
  withoutErrors,
} from '@stickler/core/internal/relay'
import { requestSchema } from '@stickler/core/internal/remote'
import { catalogue } from '@stickler/presets'
import { giveUpBody } from '@stickler/presets/internal'
import type { Exchange } from '../front/exchange.ts'
import { goingDown, isCutOff } from '../front/replies/overload-errors.ts'
import { apiHeadersOf } from '../front/request-id.ts'
import type { AttemptRecord, RunRecord } from '../records/run/run-record.ts'
import { askedTokens } from './budgets/prompt-tokens.ts'
import { Choice, type ChoiceRequest } from './choice.ts'
import type { ClientContext } from './client-context.ts'
import { Conversation } from './conversation.ts'
import { choiceRecord } from './make-run-record.ts'
import type { HeldContract } from './pipeline/bound-contract.ts'
import type { PipelineRun } from './pipeline/pipeline-run.ts'
import { Request } from './request.ts'
import type { RouteDependencies, RouteSettings } from './request-ports.ts'
import { noUsage, type RunLog } from './run-log.ts'
import type { ShadowJob } from './shadow/shadow-verdict.ts'
import { isNative, type Target } from './target.ts'

/** The request as the client sent it, for upstreams that speak its API. */
type OwnRequest = Pick<NativeRequest, 'api' | 'request' | 'headers'>

/** A request for answers of a model; makes the calls of its choices. */
export class ModelRequest extends Request<Exchange, RouteDependencies> implements ChoiceRequest, RelayedRequest {
  readonly client: ClientContext
  readonly settings: RouteSettings
  readonly api: Api
  /** What the client sent, read and translated. */
  readonly sent: ClientRequest
  /** The upstream request, without messages that the engine adds. */
  chat: ChatRequest
  /** For checks. */
  context: Readonly<Record<string, unknown>>
  target: Target
  /** The result of the pipeline. */
  pipeline: PipelineRun | undefined = undefined
  native: OwnRequest | undefined = undefined
  /** The state of the session, for a shadow contract that needs it. */
  shadowState: ShadowJob['state'] = undefined
  choices: readonly Choice[] = noChoices
  lead: Attempt | undefined = undefined
  /** Called when provider events have arrived; set by a writer that shows them at once. */
  onEvents: (() => void) | undefined = undefined
  /** The messages of the first call, with what the engine added; only where texts are kept. */
  asked: readonly Message[] | undefined = undefined
  #conversation: Conversation | undefined = undefined
  /** The first call, which all choices share. */
  #shared: UpstreamCall | undefined = undefined
  #shadows: readonly ShadowJob[] = noShadows

  constructor(
    exchange: Exchange,
    api: Api,
    sent: ClientRequest,
    client: ClientContext,
    target: Target,
    settings: RouteSettings,
    dependencies: RouteDependencies,
  ) {
    super(exchange, api.name, dependencies)
    this.api = api
    this.sent = sent
    this.client = client
    const messages = withoutErrors(sent.chat.messages, target.contract)
    this.chat = messages === sent.chat.messages ? sent.chat : { ...sent.chat, messages }
    this.context = client.context
    this.target = target
    this.settings = settings
  }

  /** For estimates where a provider reports no usage. */
  get price(): Price | undefined {
    return this.target.price
  }

  get keepText(): boolean {
    return this.settings.keepText
  }

  get shownModel(): string {
    return this.sent.chat.model
  }

  get isNative(): boolean {
    return isNative(this.target, this.api)
  }

  get errorTerms(): ErrorTerms {
    return errorTermsOf(this.target.contract.declared)
  }

  promptTokens(messages: readonly Message[], format: AnswerFormat | undefined): number {
    return askedTokens(this, messages, format)
  }

  cutOff(): HttpError | undefined {
    return isCutOff(this.caller.signal) ? goingDown : undefined
  }

  /** Takes what the pipeline has prepared. */
  prepare(run: PipelineRun): void {
    this.pipeline = run
    this.target = run.target
    this.chat = { ...this.chat, messages: run.messages }
    this.context = { ...this.context, ...run.context }
  }

  /** Begins its answer: makes the choices; nothing is sent before one of them is run. */
  open(listeners: ChoiceListeners = noListeners): readonly Choice[] {
    const { target, client, sent, pipeline } = this
    this.beginRuns(() => ({
      contract: target.contractName,
      model: sent.chat.model,
      places: target.places,
      stream: sent.stream,
      session: client.session,
      body: sent.body,
      ...(pipeline && { nodes: pipeline.trace }),
    }))
    // Sessions would have seen the passages of earlier queries.
    if (target.keepsSessions && pipeline === undefined) this.#conversation = this.#conversationOf()
    this.native = this.#native()
    const count = this.chat.n ?? 1
    // Choices share one budget.
    const tally = count === 1 ? undefined : new Tally()
    const choices: Choice[] = []
    for (let index = 0; index < count; index++) choices.push(new Choice(this, index, tally, listeners))
    this.choices = choices
    return choices
  }

  start(messages: readonly Message[], options: CallOptions, choice: number, isFirst: boolean, continuation?: Continuation): UpstreamCall {
    if (!isFirst) return this.#call(forOneChoice(this.chat), messages, options, stopOf(options), choice, continuation)
    if (this.settings.keepText) this.asked ??= messages
    // Several choices share the call: the end of one must not end it for the others.
    const stop = this.choices.length > 1 ? this.caller.signal : stopOf(options)
    // A session is found by what the client has seen.
    const seen = this.chat === this.sent.chat ? messages : this.sent.chat.messages
    this.#shared ??= this.#call(this.chat, messages, options, stop, choice, this.#conversation?.continuation(seen))
    return this.#shared
  }

  /** Without a contract, nothing has judged the answer. */
  failed(attempt: AttemptRecord, log: RunLog): void {
    const { contractName } = this.target
    if (contractName !== '' || attempt.failure !== undefined) this.attemptFailed(attempt, log, contractName, this.sent.chat.model)
  }

  /** Lets other work run before a large piece of this one. */
  async pause(): Promise<void> {
    const { executor } = this.target
    await (executor?.for?.(this.caller.caller) ?? executor)?.pause()
  }

  /**
   * Records the outcomes; settles when they can no longer be lost, with an error where an answer
   * must not be sent without its record.
   */
  keep(outcomes: readonly Outcome[], httpStatus: number, error?: HttpError): MaybePromise<HttpError | undefined> {
    const { ms } = this
    if (error !== undefined) this.outcome = error.details.type === verdictNames.violated ? 'invalid' : 'error'
    // Before the record, which marks the answer as finished: the next turn may come at once.
    const session = this.#conversation && this.#keepSession(this.#conversation, outcomes, error)
    return whenReady(session, () =>
      attempting(
        () => this.#record(outcomes, ms, httpStatus),
        () => undefined,
        (thrown) => {
          if (thrown instanceof HttpError) return thrown
          throw thrown
        },
      ),
    )
  }

  #record(outcomes: readonly Outcome[], ms: number, httpStatus: number): MaybePromise<unknown> {
    let used: Usage = noUsage
    const stored = this.choices.map((choice, index) => {
      const record = choiceRecord(this, choice, outcomes[index] as Outcome, ms, httpStatus)
      used = addUsage(used, record.usage) ?? used
      if (this.target.shadow !== undefined) this.#shadow(this.target.shadow, choice, record)
      return this.record(record)
    })
    if (stored.length === 1 && !this.isReserved) return stored[0]
    const kept = Promise.all(stored)
    // Before the client has its answer, so that the next request sees the remaining budget.
    return this.isReserved ? Promise.allSettled([kept, this.settle(used)]).then(() => kept) : kept
  }

  /** Notes the first answer for a shadow contract, which judges it when the reply is over. */
  #shadow(shadow: HeldContract, { first }: Choice, record: RunRecord): void {
    const [attempt] = record.attempts
    // Without an answer there is nothing to judge.
    if (attempt === undefined || attempt.failure !== undefined) return
    const answer = attempt.stoppedAt === undefined ? first?.take() : undefined
    const context = { ...this.context, prompt: this.chat.messages }
    this.#shadows = [...this.#shadows, { record, shadow, answer, context, state: this.shadowState, begin: this.settings.begin }]
  }

  /** Lets go of its answer when it is over: what still refers to the request must not keep that. */
  close(): void {
    for (const job of this.#shadows) this.ports.shadows.add(job)
    this.#shadows = noShadows
    this.choices = noChoices
    this.lead = undefined
    this.#shared = undefined
    this.native = undefined
    this.pipeline = undefined
    this.onEvents = undefined
    this.trace = undefined
  }

  #call(
    request: ChatRequest,
    messages: readonly Message[],
    asked: CallOptions,
    signal: StopSignal,
    choice: number,
    continuation: Continuation | undefined,
  ): UpstreamCall {
    this.#needPreparation()
    this.called()
    const { target, sent } = this
    const options = this.callOptions(asked, signal, choice, continuation)
    if (target.folder !== undefined) options.folder = target.folder
    const native = this.#nativeCall(messages, request !== this.chat)
    if (native !== undefined) options.native = native
    if (isGuarded(target)) options.isGuarded = true
    // The first call uses the client's request; a copy of that costs more than it looks.
    const isAsSent = messages === request.messages && (request.stream ?? false) === sent.stream
    return target.upstream.call(isAsSent ? request : { ...request, messages, stream: sent.stream }, options)
  }

  /**
   * The contract of a route with a pipeline comes from the preparation: without it, answers would
   * pass unchecked.
   */
  #needPreparation(): void {
    if (this.target.pipeline === undefined || this.pipeline?.type !== undefined) return
    throw this.pipeline?.ended ?? new RunnerFailure('crash', 'the request was not prepared')
  }

  /** What the client sent, unless a pipeline wrote the request or texts of errors were left out; sessions are stored for translated ones. */
  #native(): OwnRequest | undefined {
    const { wire, headers } = this.api
    if (wire === undefined || this.chat !== this.sent.chat || this.#conversation !== undefined) return undefined
    const { body } = this.sent
    const request = { source: soundSource(this.caller.source, body), body }
    return { api: wire.api, request, headers: headers && apiHeadersOf(this.caller.headers, headers) }
  }

  /** The client's own request with the engine's additions; undefined where they cannot be told apart. */
  #nativeCall(messages: readonly Message[], isSingle: boolean): NativeRequest | undefined {
    const { native, chat } = this
    const turns = native && addedTurns(chat.messages, messages)
    if (native === undefined || turns === undefined) return undefined
    const { withheld } = this.api
    // No copy that is added to: each would have hidden classes of its own.
    const added: Mutable<WireTurns> = { turns: turns.turns }
    if (turns.instructions !== undefined) added.instructions = turns.instructions
    if (turns.anew !== undefined) added.anew = turns.anew
    if (withheld !== undefined) added.withheld = withheld
    if (isSingle && chat.n !== undefined) added.single = true
    return { api: native.api, request: native.request, added, headers: native.headers, onEvents: this.onEvents }
  }

  /** Only a session that the client named can be continued, and only one answer can be its last. */
  #conversationOf(): Conversation | undefined {
    const { client, sent, target, caller } = this
    const { n = 1, model } = sent.chat
    if (client.session === undefined || n !== 1) return undefined
    const names = { owner: caller.identity.key, session: client.session, model, contract: target.contractName }
    return new Conversation(names, this.ports.sessions)
  }

  /** Stores the session that has seen what the client has seen, or the drafts before an error; the answer does not depend on it. */
  async #keepSession(conversation: Conversation, [outcome]: readonly Outcome[], error: HttpError | undefined): Promise<void> {
    const { place, session } = this.choices[0]?.attempts.at(-1)?.call.head().process ?? {}
    const isErrorShown = error !== undefined && this.target.errorsAs === 'text'
    if (outcome === undefined || !(outcome.delivered || isErrorShown) || place === undefined || session === undefined) return
    const { log, requestId } = this.caller
    const shown = isErrorShown ? { text: errorText(error, [outcome], this.target), toolCalls: [] } : outcome
    try {
      await conversation.keep(place, session, this.sent.chat.messages, shown)
    } catch (error) {
      log.warn({ requestId, event: 'session', err: error }, 'a session could not be saved')
    }
  }
}

const noShadows: readonly ShadowJob[] = []
const noChoices: readonly Choice[] = []
const noListeners: ChoiceListeners = {}

/** Asking for `signal` would make one. */
function stopOf(options: CallOptions): StopSignal {
  return options.stop ?? options.signal
}

/** What the gateway adds to errors of answers under a contract. */
function errorTermsOf(declared: Declarations | undefined): ErrorTerms {
  return {
    isBuiltIn: (validator) => [...catalogue.validators, requestSchema].some(({ definition }) => definition.name === validator),
    membersBeside: (outcome) => membersBeside(outcome, declared),
  }
}

/** Fields that the preset adds beside the error. */
function membersBeside(outcome: Outcome, declared: Declarations | undefined): Readonly<Record<string, unknown>> {
  const names = Object.keys(declared?.annotations?.error ?? {})
  if (names.length === 0) return {}
  const findings = { ...giveUpBody(validationOf(outcome, 'strict')).validation, ok: false }
  return Object.fromEntries(names.map((name) => [name, findings]))
}
