import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { type ComposedParameters, requestJson, type SentFields, schemaFields } from '../../apis/request/composed-parameters.ts'
import type { ChatRequest } from '../../apis/shared/api.ts'
import { replyExcess } from '../../apis/shared/parse-reply.ts'
import { chatFormat, placeSchema } from '../../apis/shared/structured-output.ts'
import type { Price } from '../../apis/shared/usage.ts'
import type { Wire, WireEvent, WireHead, WireListener, WireReader, WireReply, WireTurns } from '../../apis/shared/wire.ts'
import { asRunnerFailure, RunnerFailure } from '../../engine/runner-failure.ts'
import { attempting, type MaybePromise, whenReady } from '../../engine/waiting/deferred.ts'
import { redactFailure } from '../../runners/secrets.ts'
import { type ByteSource, readPiece, readText } from './byte-source.ts'
import { ChoiceQueues, type EventSink, type EventSource, WholeChoice } from './choice-queues.ts'
import { type EventKeeper, EventStream, type Incoming } from './event-stream.ts'
import { HeadAssembly } from './reply-head.ts'
import { countOf, withSchemaInMessages, withSchemaInRules } from './sent-schema.ts'
import type {
  BrokenEvent,
  CallRelay,
  CallWatcher,
  ChoiceEvents,
  NativeRequest,
  ReplyHead,
  UpstreamCall,
  UpstreamCallOptions,
} from './upstream-call.ts'

/** A request of a call. */
interface SentRequest {
  readonly method: 'POST'
  /** Appended to the path of the base address. */
  readonly path: string
  readonly body: string
  /** Whether a streamed answer is requested. */
  readonly stream: boolean
  /** Headers that replace the usual ones. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends requests to one provider; it throws only RunnerFailures without secrets. */
export interface CallTransport {
  send(request: SentRequest, options: Pick<UpstreamCallOptions, 'signal' | 'timeLeftMs' | 'headers' | 'caller'>): PromiseLike<Incoming>
  /** Masks secrets in a text. */
  redact(text: string): string
}

/** What the HTTP calls of one provider share. */
export interface WireProvider {
  readonly name: string
  readonly transport: CallTransport
  /**
   * The APIs that the provider supports; requests in any other are sent as `translated` writes
   * them, and answered in the first.
   */
  readonly wires: readonly [Wire, ...Wire[]]
  /** The path of an API's requests for a model, below the base address. */
  pathOf(wire: Wire, model: string): string
  /** The parameters that its models take. */
  readonly parameters: ComposedParameters
  /** The fields of a request translated from chat completions, and those that were dropped. */
  translated(request: ChatRequest): { readonly body: Fields; readonly dropped?: readonly string[] }
  /** Whether requests name the model as the client did. */
  readonly keepsModel?: true
  /** What the provider needs in a client request besides the model. */
  readonly added?: Pick<WireTurns, 'usage'>
  /** Whether schemas are sent in the field that its API has for them; in the prompt otherwise. */
  readonly structuredOutput?: boolean | undefined
  /** The price of a model, if it is known. */
  priceOf(model: string): Price | undefined
  /** Whether the provider sends a finish reason with every answer. */
  readonly alwaysEnds: boolean
}

/**
 * One HTTP call of a provider: the client's own request where the provider has its API, else
 * translated.
 */
export class WireCall implements UpstreamCall, EventSource {
  readonly #provider: WireProvider
  readonly #request: ChatRequest
  readonly #options: UpstreamCallOptions
  readonly #head: HeadAssembly
  readonly #wire: Wire
  readonly #native: NativeRequest | undefined
  readonly #feed: RelayFeed | undefined
  #response: Incoming | undefined
  #events: EventStream | undefined
  #reader: WireReader | undefined
  readonly #sink: EventSink
  #isReading = false
  #isCancelled = false
  /** What a provider may refuse of the request without refusing what the client has sent. */
  #sent: SentFields = nothingSent
  /** Those of the provider, without what this call has tried to go without. */
  #parameters: ComposedParameters
  #watcher: CallWatcher | undefined

  constructor(provider: WireProvider, request: ChatRequest, options: UpstreamCallOptions) {
    this.#provider = provider
    this.#parameters = provider.parameters
    this.#request = request
    this.#options = options
    const { native } = options
    const spoken = native && provider.wires.find(({ api }) => api === native.api)
    this.#wire = spoken ?? provider.wires[0]
    this.#native = spoken && native
    this.#feed = spoken && new RelayFeed(spoken, provider.transport.redact)
    this.#head = new HeadAssembly(provider.priceOf(request.model), request.model)
    const count = countOf(request)
    this.#sink = count === 1 && request.stream !== true ? new WholeChoice(this) : new ChoiceQueues(count, this)
  }

  get choices(): readonly ChoiceEvents[] {
    return this.#sink.choices
  }

  head(): ReplyHead {
    return this.#head.head()
  }

  upstream(): string {
    return this.#provider.name
  }

  relay(): CallRelay | undefined {
    return this.#feed
  }

  watch(watcher: CallWatcher): void {
    this.#watcher = watcher
  }

  pull(): void {
    if (this.#isReading) return
    this.#isReading = true
    if (this.#response === undefined) this.#start()
    else this.#read()
  }

  #start(): void {
    void attempting(this.#begin, this.#read, this.#refused)
  }

  cancel(): void {
    this.#isCancelled = true
    this.#response?.transfer.destroy()
  }

  /** Reads while a reader waits; continues by itself when more arrives. */
  readonly #read = (): void => {
    try {
      for (let isAwaited = true; isAwaited; ) {
        const progress = this.#events?.read() ?? 'complete'
        if (progress === 'waiting') {
          this.#events?.body.wait(this.#read)
          return
        }
        if (progress instanceof Promise) {
          progress.then(this.#read, this.#fail)
          return
        }
        const isComplete = progress === 'complete'
        if (isComplete) {
          this.#reader?.end()
          this.#watcher?.ended()
        }
        this.#native?.onEvents?.()
        isAwaited = this.#sink.deliver(isComplete)
      }
      this.#isReading = false
    } catch (thrown) {
      this.#fail(thrown)
    }
  }

  /** A request is sent again without a field of ours that the provider does not take: every time with one less. */
  readonly #refused = (thrown: unknown): void => {
    if (this.#isCancelled || !(thrown instanceof RunnerFailure)) {
      this.#fail(thrown)
      return
    }
    const without = this.#parameters.without(this.#request.model, this.#sent, thrown)
    if (without === undefined) {
      this.#fail(thrown)
      return
    }
    this.#parameters = without
    this.#watcher?.repeated?.(thrown)
    this.#options.onRepeat?.(thrown)
    this.#start()
  }

  readonly #fail = (thrown: unknown): void => {
    this.#response?.transfer.destroy()
    const failure = redactFailure(asRunnerFailure(thrown), this.#provider.transport.redact)
    if (!this.#isCancelled) this.#watcher?.failed(failure)
    try {
      this.#native?.onEvents?.()
    } finally {
      this.#sink.fail(failure)
    }
  }

  /** Sends the request, and reads the answer if it is not streamed. */
  readonly #begin = (): MaybePromise<void> => {
    const { transport, pathOf } = this.#provider
    const { model, stream = false } = this.#request
    const sending = transport.send(
      { method: 'POST', path: pathOf(this.#wire, model), body: this.#body(), stream, ...this.#headers() },
      this.#options,
    )
    return whenReady(sending, (response) => {
      this.#response = response
      this.#head.answered(response.passedHeaders())
      if (this.#isCancelled) response.transfer.destroy()
      return whenReady(foundStream(response, stream), (found) => this.#readBody(response, found))
    })
  }

  #readBody(response: Incoming, { isStream, body }: FoundBody): MaybePromise<void> {
    const listener: WireListener = {
      count: this.choices.length,
      alwaysEnds: this.#provider.alwaysEnds,
      isGuarded: this.#options.isGuarded === true,
      see: (choice, event) => this.#sink.push(choice, event),
      head: (head) => this.#head.take(inChatWords(head, this.#wire)),
      receive: (bytes) => this.#head.receive(bytes),
    }
    if (isStream) {
      this.#keep()
      this.#reader = this.#wire.readStream(listener)
      if (this.#feed !== undefined) this.#feed.reader = this.#reader
      this.#events = new EventStream(response, body, this.#reader, this.#feed)
      return
    }
    const reading = readText(body, response, (bytes) => this.#head.receive(bytes))
    return whenReady(reading, (text) => {
      const reply = this.#wire.readWhole(text, listener)
      this.#keep()
      if (this.#feed !== undefined) this.#feed.reply = reply
    })
  }

  #keep(): void {
    this.#parameters.keep(this.#request.model, this.#native?.request.body ?? { ...this.#request })
  }

  #body(): string {
    const { added, keepsModel, translated, structuredOutput } = this.#provider
    const parameters = this.#parameters
    const native = this.#native
    const request = this.#request
    const { model } = request
    const schemaField = schemaFields[this.#wire.api] ?? ''
    const fit = structuredOutput && parameters.accepts(model, schemaField) ? this.#wire.fitSchema : undefined
    const placed = placeSchema(this.#options.format, native?.request.body ?? request, fit)
    const isStream = request.stream === true
    const usage = added?.usage === true && isStream && parameters.accepts(model, 'stream_options')
    const hasOptions = (native?.request.body ?? request).stream_options !== undefined
    const ours: string[] = []
    if (placed.native !== undefined) ours.push(schemaField)
    if (usage && !hasOptions) ours.push('stream_options')
    this.#sent = { ours }
    if (native === undefined) {
      const composed = this.#composed(withSchemaInMessages(request, placed), ours)
      const asked = usage
        ? { ...composed, stream_options: { ...(isFields(composed.stream_options) ? composed.stream_options : {}), include_usage: true } }
        : composed
      const { body, dropped } = translated(placed.native ? { ...asked, response_format: chatFormat(placed.native) } : asked)
      if (dropped !== undefined && dropped.length > 0) this.#head.leftOut(dropped)
      return requestJson(body)
    }
    // An object that is copied and then extended gets a new hidden class each time.
    const rules = withSchemaInRules(native.added, placed)
    const turns = keepsModel ? { usage, ...rules } : { model, usage, ...rules }
    return this.#wire.ask(native.request, placed.native ? { ...turns, format: placed.native } : turns)
  }

  /** A request with what the one who made it wants of the model, and with a token limit under the name that the model takes. */
  #composed(request: ChatRequest, ours: string[]): ChatRequest {
    const parameters = this.#parameters
    const { parameters: wanted, askedParameters } = this.#options
    const { model, max_tokens: older, max_completion_tokens: newer, ...rest } = request
    if (wanted !== undefined) {
      const composed = parameters.compose(model, wanted, askedParameters)
      ours.push(...composed.ours)
      return { ...request, ...composed.fields }
    }
    if ((older === undefined) === (newer === undefined)) return request
    const renamed = parameters.limit(model)
    this.#sent = { ours, renamed }
    return { model, ...rest, [renamed]: older ?? newer } as ChatRequest
  }

  /** Headers of the client that belong to its API. */
  #headers(): { readonly headers?: Readonly<Record<string, string>> } {
    const headers = this.#native?.headers
    return headers === undefined ? {} : { headers }
  }
}

const nothingSent: SentFields = { ours: [] }

/** Usage as in chat completions, beside the provider's own. */
function inChatWords(head: WireHead, { chatUsage }: Wire): WireHead & Pick<ReplyHead, 'nativeUsage'> {
  const { rawUsage } = head
  return chatUsage === undefined || rawUsage === undefined ? head : { ...head, rawUsage: chatUsage(rawUsage), nativeUsage: rawUsage }
}

/** The body of a response, and whether it is a stream of events. */
interface FoundBody {
  readonly isStream: boolean
  readonly body: ByteSource
}

/** Returns whether a response is a stream of events. Providers may send the other form than requested, or label a stream as JSON. */
function foundStream({ contentType, body }: Incoming, asked: boolean): FoundBody | Promise<FoundBody> {
  const type = contentType.toLowerCase()
  if (type.includes('event-stream')) return { isStream: true, body }
  if (!asked || type.includes('html')) return { isStream: false, body }
  return type.includes('json') ? peeked(body) : { isStream: true, body }
}

/** Reads until something other than white space arrives, and returns it again. */
async function peeked(body: ByteSource): Promise<FoundBody> {
  const pieces: Uint8Array[] = []
  let seen = ''
  while (seen.trim() === '') {
    const piece = await readPiece(body)
    if (piece === undefined) break
    pieces.push(piece)
    seen += new TextDecoder().decode(piece.subarray(0, 64))
  }
  return {
    isStream: /^\s*(?::|data:|event:|id:|retry:)/.test(seen),
    body: { poll: () => pieces.shift() ?? body.poll(), wait: (ready) => body.wait(ready) },
  }
}

/** The cost of an event besides its data: a parsed event is stored with its values. */
const weightOfRead = 256
const weightOfRepeated = 32

/** Stores the provider's events as they arrive. */
class RelayFeed implements CallRelay, EventKeeper {
  readonly wire: Wire
  readonly events: (WireEvent | string)[] = []
  readonly lengths: number[] = []
  reply?: WireReply
  isShown = false
  held = 0
  reader: WireReader | undefined
  broken?: BrokenEvent
  readonly #redact: (text: string) => string

  constructor(wire: Wire, redact: (text: string) => string) {
    this.wire = wire
    this.#redact = redact
  }

  push(event: WireEvent): void {
    this.events.push(event)
    this.lengths.push(0)
    this.held += weightOfKept(event)
  }

  pushRepeated(data: string, length: number): void {
    this.events.push(data)
    this.lengths.push(length)
    this.held += weightOfKept(data)
  }

  forget(at: number): void {
    const event = this.events[at]
    if (event === undefined || event === '') return
    this.held -= weightOfKept(event)
    this.events[at] = ''
  }

  broke(name: string, data: string): void {
    // An event with too many fields to be read is not shown either.
    if (replyExcess(data) === undefined) this.broken = { name, data: this.#redact(data) }
  }

  repeated(data: string): WireEvent {
    const event = this.reader?.repeated?.(data)
    if (event === undefined) throw new Error(`the API ${this.wire.api} has no events that repeat each other`)
    return event
  }
}

function weightOfKept(event: WireEvent | string): number {
  return typeof event === 'string' ? event.length + weightOfRepeated : event.data.length + weightOfRead
}
