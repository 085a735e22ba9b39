import type { FailureKind, Message, RunnerFailure, StopSignal, Usage } from '@stickler/core'
import type {
  ApiName,
  ChatRequest,
  ChoiceEvent,
  MaybePromise,
  Wire,
  WireEvent,
  WireReply,
  WireRequest,
  WireTurns,
} from '@stickler/core/internal'
import type { AnswerFormat, EventIterator } from '@stickler/core/runners'

/** The events of one choice, to be read once: one by one, or all together. */
export interface ChoiceEvents extends AsyncIterable<ChoiceEvent> {
  [Symbol.asyncIterator](): EventIterator<ChoiceEvent>
  /** Gives everything up to the end as it comes, for whoever shows nothing before; `readWhole` does the same where this is absent. */
  whole?(take: (event: ChoiceEvent) => void): MaybePromise<void>
}

/** What an answer says beside its choices; complete when all choices have ended. */
export interface ReplyHead {
  readonly id?: string
  readonly created?: number
  /** The model that the provider was asked for. */
  readonly asked?: string
  /** The model that really answered. */
  readonly model?: string
  /** Tokens and money of this call, as far as the provider tells. */
  readonly usage?: Usage
  /** The provider's own usage object, passed on as it is. */
  readonly rawUsage?: Readonly<Record<string, unknown>>
  /** The same in the shape of the provider's own API, where that is another one. */
  readonly nativeUsage?: Readonly<Record<string, unknown>>
  /** Bytes that have come without an event, such as pieces of tool calls; absent before anything of an answer has come. */
  readonly received?: number
  /** Headers of the provider that clients may see, such as its request id and its rate limits. */
  readonly headers?: Readonly<Record<string, string>>
  /** Set by upstreams that start a process for each call. */
  readonly process?: ProcessNotes
  /** Every other field at the top of the answer, such as `system_fingerprint`. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Names of fields of the request that the upstream could not carry, and left out without changing what it means. */
  readonly dropped?: readonly string[]
}

/** What is known of the process that answers a call. */
export interface ProcessNotes {
  /** Where and how it was started: only a process of the same place can resume its session. */
  readonly place: string
  /** The session that a further call may resume; absent until the process has ended well. */
  readonly session?: string
  /** Whether the session that was to be resumed was found, when there was one. */
  readonly resumption?: 'resumed' | 'forgotten'
  /** The last part of what it wrote to its error stream. */
  readonly stderr?: string
  /** How it ended, where that was not well. */
  readonly exitCode?: number
}

/** A session to resume, with the messages that it has not seen. */
export interface OpenSession {
  readonly session: string
  readonly messages: readonly Message[]
}

/** Finds the session that a call may resume. */
export interface Continuation {
  /** The session of a place; given once, because a call that failed may have changed it. */
  take(place: string): Promise<OpenSession | undefined>
}

/** One call of a provider that has been started. */
export interface UpstreamCall {
  /** One sequence of events for each choice that was asked for; reading throws a RunnerFailure when the call fails. Each is read at most once. */
  readonly choices: readonly ChoiceEvents[]
  /** What is known so far beside the choices. */
  head(): ReplyHead
  /** Name of the upstream that answers; known once the first event has come. */
  upstream(): string
  /** Reports to `watcher` how the call goes; where this is absent, that is seen by reading every event. */
  watch?(watcher: CallWatcher): void
  /** What the provider sends in its own words, when it was asked in those of the client; absent when the request was translated. */
  relay?(): CallRelay | undefined
}

/** Is told once how a call went; not when its readers have left before. */
export interface CallWatcher {
  /** All choices have come to their end. */
  ended(): void
  failed(failure: RunnerFailure): void
}

/** What a provider has sent so far, as it came. */
export interface CallRelay {
  readonly wire: Wire
  /** The events of a stream in their order; of one that repeats the one before in everything but its text, only its data. */
  readonly events: (WireEvent | string)[]
  /** Of each event that is only its data, the length of its text; 0 otherwise. */
  readonly lengths: number[]
  /** Lets go of an event that has been shown. */
  forget(at: number): void
  /** The event that such data is. */
  repeated(data: string): WireEvent
  /** The reply that came in one piece. */
  readonly reply?: WireReply
  /** The event that ended the stream with a failure, without secrets. */
  readonly broken?: BrokenEvent
  /** Whether a client has seen something of it, so that no other call can take its place. */
  isShown: boolean
}

/** An event with which a stream has failed. */
export interface BrokenEvent {
  /** Name of the server-sent event; empty when it has none. */
  readonly name: string
  readonly data: string
}

/** A request in the client's own words, for upstreams that speak its API. */
export interface NativeRequest {
  readonly api: ApiName
  readonly request: WireRequest
  /** What the engine and the route change in it. */
  readonly added: WireTurns
  /** Headers that belong to the API, such as `anthropic-beta`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Told when events have come, for whoever shows them at once. */
  readonly onEvents?: (() => void) | undefined
}

/** What a call is given. */
export interface UpstreamCallOptions {
  readonly signal: StopSignal
  /** Milliseconds left for everything, when there is a deadline; limits waiting for `retry-after` too. */
  readonly timeLeftMs?: number
  readonly requestId: string
  /** Who the call is for: where calls wait, callers take turns. */
  readonly caller?: string
  /** Headers that may be passed on to the provider, already filtered: `traceparent` and the like. */
  readonly headers?: Readonly<Record<string, string>>
  /** Headers of the client that belong to the API whose body is passed on, such as `anthropic-beta`. */
  readonly apiHeaders?: Readonly<Record<string, string>> | undefined
  /** The request as the client sent it: upstreams that speak its API send this, with the model of the request that they are given; others send that request. */
  readonly native?: NativeRequest
  /** Whether a contract holds for the answer. */
  readonly isGuarded?: boolean
  /** The schema that the contract tells the model; only for upstreams that take it, others find it in the messages. */
  readonly format?: AnswerFormat
  /** What the call continues, for upstreams that keep sessions; others send all messages. */
  readonly continuation?: Continuation
  /** The folder that a command works in, unless it has one of its own. */
  readonly folder?: string
}

/** A provider, or several behind each other: the port that routes talk to. */
export interface Upstream {
  readonly name: string
  /** The APIs in which requests reach the provider as clients send them; all others are translated. */
  readonly speaks?: ReadonlySet<ApiName>
  /** Set when it sends the `format` of a call, in the provider's own way or in the prompt. */
  readonly takesSchema?: true
  /** Starts a call; nothing is sent before a choice is read. `request.stream` says whether text should come in pieces. */
  call(request: ChatRequest, options: UpstreamCallOptions): UpstreamCall
  /** Whether bodies for a path are passed on to the provider; for every path where `pass` is there and this is not. */
  readonly passes?: (path: string) => boolean
  /** Passes JSON or a form on as it is to another path of the provider, such as `/embeddings`; absent where the provider has none. */
  pass?(path: string, body: unknown, options: UpstreamCallOptions): Promise<PassedReply>
  /** Tells whether the provider can be reached, for `doctor` and readiness. */
  probe?(signal: AbortSignal): Promise<ProbeResult>
  close(): Promise<void>
}

/** The answer to a body that was passed on. */
export interface PassedReply {
  readonly status: number
  readonly contentType: string
  /** Headers of the provider that clients may see. */
  readonly headers?: Readonly<Record<string, string>>
  /** Pieces of the body; reading throws a RunnerFailure when the call fails. */
  readonly body: AsyncIterable<Uint8Array>
}

/** What a probe found. */
export type ProbeResult = { readonly ok: true } | { readonly ok: false; readonly kind: FailureKind; readonly message: string }
