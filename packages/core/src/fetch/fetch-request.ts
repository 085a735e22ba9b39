import type { Fields } from '../answer/tool-shapes/fields.ts'
import type { ComposedParameters } from '../apis/request/composed-parameters.ts'
import type { Api, ChatRequest, ClientRequest } from '../apis/shared/api.ts'
import type { HttpError } from '../apis/shared/http-error.ts'
import type { Price } from '../apis/shared/usage.ts'
import type { Wire, WireTurns } from '../apis/shared/wire.ts'
import type { Contract } from '../contract/contract.ts'
import { notify, systemClock } from '../contract/ports.ts'
import { Tally } from '../engine/decide/budget.ts'
import type { Outcome } from '../engine/outcome.ts'
import type { EnforceOptions } from '../engine/run-state.ts'
import type { CallOptions, Message } from '../engine/runner.ts'
import { RunnerFailure } from '../engine/runner-failure.ts'
import { Stop } from '../engine/stop.ts'
import type { TraceEvent } from '../engine/trace.ts'
import { addedTurns, forOneChoice, soundSource } from '../relay/attempts/added-turns.ts'
import type { Attempt } from '../relay/attempts/attempt.ts'
import { type Calls, UpstreamRunner } from '../relay/attempts/upstream-runner.ts'
import type { UpstreamCall, UpstreamCallOptions } from '../relay/calls/upstream-call.ts'
import { WireCall, type WireProvider } from '../relay/calls/wire-call.ts'
import type { Mutable } from '../relay/mutable.ts'
import { type ChoiceListeners, isGuarded, type RelayedChoice, type RelayedRequest, type RelayTarget } from '../relay/relayed-request.ts'
import type { EnforcedFetchOptions, FetchedRequest } from './fetch-options.ts'
import type { FetchTransport, OwnEnding } from './fetch-transport.ts'

/** What one request is made of. */
interface FetchedParts {
  readonly api: Api & { readonly wire: Wire }
  readonly sent: ClientRequest
  /** The JSON as the client sent it. */
  readonly source: string
  readonly told: FetchedRequest
  readonly contract: Contract
  readonly context: Fields
  readonly transport: FetchTransport
  /** What the provider's models have refused of what is added here. */
  readonly parameters: ComposedParameters
  readonly options: EnforcedFetchOptions
  /** Whether schemas are sent in the API's own field. */
  readonly structuredOutput: boolean
  /** Whether a stream is to report its usage, although the client has not asked for it. */
  readonly wantsUsage: boolean
}

const noAttempts: readonly Attempt[] = []

/** One request of a client, whose answers are enforced before it gets them. */
export class FetchRequest implements RelayedRequest, Calls {
  readonly api: Api
  readonly sent: ClientRequest
  readonly target: RelayTarget
  readonly client = { wantsProgress: false }
  readonly pipeline = undefined
  readonly isNative = true
  /** The error goes to the program that wrote the contract, so that it may say what is missing. */
  readonly errorTerms = { isBuiltIn: () => true }
  readonly at: number
  readonly caller: RelayedRequest['caller']
  /** Ends the run when the client gives up. */
  readonly stop = new Stop()
  choices: readonly RelayedChoice[] = []
  onEvents: (() => void) | undefined = undefined
  lead: Attempt | undefined = undefined
  /** An error of our own that was found while a reply was written. */
  crash: { readonly thrown: unknown } | undefined = undefined
  readonly #parts: FetchedParts
  readonly #provider: WireProvider
  /** The first call, which all choices share. */
  #shared: UpstreamCall | undefined = undefined

  constructor(parts: FetchedParts) {
    const { api, sent, contract, options, transport, structuredOutput, wantsUsage } = parts
    this.#parts = parts
    this.api = api
    this.sent = sent
    this.at = (options.today ?? Date.now)()
    this.target = { contractName: options.name ?? 'contract', contract }
    this.caller = {
      requestId: crypto.randomUUID(),
      signal: this.stop,
      log: { error: ({ err }) => (this.crash = { thrown: err }) },
    }
    this.#provider = {
      name: 'fetch',
      transport,
      wires: [api.wire],
      pathOf: () => '',
      keepsModel: true,
      ...(wantsUsage && { added: { usage: true } }),
      parameters: parts.parameters,
      translated: untranslated,
      priceOf: () => options.price,
      alwaysEnds: options.finishReasons !== 'sometimes',
      structuredOutput,
    }
  }

  /** What ended the last call before its answer. */
  get ending(): OwnEnding | undefined {
    return this.#parts.transport.ending
  }

  get price(): Price | undefined {
    return this.#parts.options.price
  }

  open(listeners: ChoiceListeners = {}): readonly RelayedChoice[] {
    const count = this.sent.chat.n ?? 1
    // Choices share one budget.
    const tally = count === 1 ? undefined : new Tally()
    this.choices = Array.from({ length: count }, (_, index) => new FetchChoice(this, this.#parts, index, tally, listeners))
    return this.choices
  }

  start(messages: readonly Message[], options: CallOptions, _choice: number, isFirst: boolean): UpstreamCall {
    const { chat } = this.sent
    if (!isFirst) return this.#call(forOneChoice(chat), messages, options, options.stop ?? options.signal)
    // Several choices share the call: the end of one must not end it for the others.
    const stop = this.choices.length > 1 ? this.stop : (options.stop ?? options.signal)
    this.#shared ??= this.#call(chat, messages, options, stop)
    return this.#shared
  }

  /** Nothing but the client's own signal ends a request. */
  cutOff(): undefined {
    return undefined
  }

  async pause(): Promise<void> {
    const { executor, clock = systemClock } = this.#parts.options
    if (executor !== undefined) await executor.pause()
    else await new Promise<void>((resolve) => clock.after(0, resolve))
  }

  keep(outcomes: readonly Outcome[]): HttpError | undefined {
    const { options, told } = this.#parts
    for (const outcome of outcomes) notify((ended: Outcome) => options.onOutcome?.(ended, told), outcome)
    return undefined
  }

  tell(): void {}

  #call(
    request: ChatRequest,
    messages: readonly Message[],
    { timeLeftMs, format, onRepeat }: CallOptions,
    signal: UpstreamCallOptions['signal'],
  ): UpstreamCall {
    const { api, source } = this.#parts
    const { chat, body, stream } = this.sent
    const turns = addedTurns(chat.messages, messages)
    if (turns === undefined) throw new RunnerFailure('crash', 'the request cannot be asked again in its own API')
    const added: Mutable<WireTurns> = { ...turns, withheld: api.withheld ?? none }
    if (request !== chat && chat.n !== undefined) added.single = true
    const options: Mutable<UpstreamCallOptions> = {
      signal,
      requestId: this.caller.requestId,
      native: { api: api.wire.api, request: { source: soundSource(source, body), body }, added, onEvents: this.onEvents },
    }
    if (timeLeftMs !== undefined) options.timeLeftMs = timeLeftMs
    if (format !== undefined) options.format = format
    if (onRepeat !== undefined) options.onRepeat = onRepeat
    if (isGuarded(this.target)) options.isGuarded = true
    return new WireCall(this.#provider, { ...request, messages, stream }, options)
  }
}

const none: ReadonlySet<string> = new Set()

/** Every request reaches its provider in the client's own API. */
function untranslated(): never {
  throw new RunnerFailure('crash', 'requests are not translated')
}

/** One choice of a request. */
class FetchChoice extends UpstreamRunner implements RelayedChoice {
  readonly options: EnforceOptions
  readonly before = noAttempts
  readonly ended = undefined
  /** The attempt that is delivered, as soon as that is decided. */
  #answering: number | undefined

  constructor(
    request: FetchRequest,
    { context, options: given }: FetchedParts,
    index: number,
    tally: Tally | undefined,
    { onArrival, onEvent }: ChoiceListeners,
  ) {
    super(request, index, onArrival?.(index))
    const { requestId } = request.caller
    const options: Mutable<EnforceOptions> = {
      contract: request.target.contract,
      runner: this,
      prompt: request.sent.chat.messages,
      context,
      signal: request.stop,
      runId: tally === undefined ? requestId : `${requestId}-${index}`,
      onEvent: (event: TraceEvent) => {
        if (event.type === 'decided' && event.action === 'deliver') this.#answering = event.attempt
        onEvent?.(event)
        given.onEvent?.(event)
      },
    }
    if (tally !== undefined) options.tally = tally
    if (given.ports !== undefined) options.ports = given.ports
    if (given.executor !== undefined) options.executor = given.executor
    if (given.clock !== undefined) options.clock = given.clock
    if (given.only !== undefined) options.only = given.only
    this.options = options
  }

  get answering(): Attempt | undefined {
    return this.attempts[(this.#answering ?? this.attempts.length) - 1]
  }
}
