import type { AskedParameters, ModelParameters } from '../../apis/request/composed-parameters.ts'
import type { ChoiceEvent } from '../../apis/shared/choice-event.ts'
import type { ApiName, Wire, WireEvent, WireReply, WireRequest, WireTurns } from '../../apis/shared/wire.ts'
import type { AnswerFormat } from '../../contract/configuration/answer-format.ts'
import type { StopSignal } from '../../engine/check/check.ts'
import type { Usage } from '../../engine/outcome.ts'
import type { CallOptions, EventIterator, Message } from '../../engine/runner.ts'
import type { RunnerFailure } from '../../engine/runner-failure.ts'
import type { MaybePromise } from '../../engine/waiting/deferred.ts'

/** The events of one choice, to be read once: one by one, or all together. */
export interface ChoiceEvents extends AsyncIterable<ChoiceEvent> {
  [Symbol.asyncIterator](): EventIterator<ChoiceEvent>
  /** Returns all events up to the end, for readers that show nothing before; `readWhole` does the same if this is absent. */
  whole?(take: (event: ChoiceEvent) => void): MaybePromise<void>
}

/** The fields of an answer besides its choices; complete when all choices have ended. */
export interface ReplyHead {
  readonly id?: string
  readonly created?: number
  /** The requested model. */
  readonly asked?: string
  /** The model that answered. */
  readonly model?: string
  /** Tokens and cost of this call, as far as reported. */
  readonly usage?: Usage
  /** The provider's own usage object, unchanged. */
  readonly rawUsage?: Readonly<Record<string, unknown>>
  /** The same in the format of the provider's own API, if that differs. */
  readonly nativeUsage?: Readonly<Record<string, unknown>>
  /** Bytes that arrived without an event, such as pieces of tool calls; absent before anything of an answer has arrived. */
  readonly received?: number
  /** Headers of the provider that clients may see, such as its request id and its rate limits. */
  readonly headers?: Readonly<Record<string, string>>
  /** Set by upstreams that start a process for each call. */
  readonly process?: ProcessNotes
  /** All other top-level fields of the answer, such as `system_fingerprint`. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Names of request fields that the upstream does not support, and that were dropped without changing the meaning. */
  readonly dropped?: readonly string[]
}

/** Details of the process that answers a call. */
export interface ProcessNotes {
  /** Where and how it was started: only a process with the same settings can resume its session. */
  readonly place: string
  /** The session that a later call may resume; absent until the process has ended successfully. */
  readonly session?: string
  /** Whether the session to resume was found, if there was one. */
  readonly resumption?: 'resumed' | 'forgotten'
  /** The end of its error stream. */
  readonly stderr?: string
  /** How it ended, unless successfully. */
  readonly exitCode?: number
}

/** A session to resume, with the messages that it does not have yet. */
export interface OpenSession {
  readonly session: string
  readonly messages: readonly Message[]
}

/** Finds the session that a call may resume. */
export interface Continuation {
  /** The session for some settings; returned once, because a failed call may have changed it. */
  take(place: string): Promise<OpenSession | undefined>
}

/** A started call of a provider. */
export interface UpstreamCall {
  /** The events of each requested choice; reading throws a RunnerFailure when the call fails. Each is read at most once. */
  readonly choices: readonly ChoiceEvents[]
  /** The fields besides the choices so far. */
  head(): ReplyHead
  /** Name of the upstream that answers; known after the first event. */
  upstream(): string
  /** Reports the end of the call to `watcher`; if absent, the end is detected by reading every event. */
  watch?(watcher: CallWatcher): void
  /** The provider's own events, if the request was sent in the client's API; absent if it was translated. */
  relay?(): CallRelay | undefined
}

/** Called once with the end of a call; not if its readers have left before. */
export interface CallWatcher {
  /** A call was refused for a field of ours, and is sent again without it. */
  repeated?(failure: RunnerFailure): void
  /** All choices have ended. */
  ended(): void
  failed(failure: RunnerFailure): void
}

/** What a provider has sent so far, unchanged. */
export interface CallRelay {
  readonly wire: Wire
  /** The events of a stream in order; an event that repeats the previous one except for its text is only its data. */
  readonly events: (WireEvent | string)[]
  /** For each event that is only its data, the length of its text; 0 otherwise. */
  readonly lengths: number[]
  /** Discards an event that has been shown. */
  forget(at: number): void
  /** The event for such data. */
  repeated(data: string): WireEvent
  /** The reply, if it was not streamed. */
  readonly reply?: WireReply
  /** The event that ended the stream with a failure, without secrets. */
  readonly broken?: BrokenEvent
  /** Whether a client has seen some of it, so that no other call can replace it. */
  isShown: boolean
}

/** An error event that ended a stream. */
export interface BrokenEvent {
  /** Name of the server-sent event; empty when it has none. */
  readonly name: string
  readonly data: string
}

/** A request in the client's own format, for upstreams with its API. */
export interface NativeRequest {
  readonly api: ApiName
  readonly request: WireRequest
  /** The changes of the engine and the route. */
  readonly added: WireTurns
  /** Headers that belong to the API, such as `anthropic-beta`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Called when events have arrived, for readers that show them at once. */
  readonly onEvents?: (() => void) | undefined
}

/** The options of a call. */
export interface UpstreamCallOptions {
  readonly signal: StopSignal
  /** Milliseconds until the deadline, if there is one; also limits waiting for `retry-after`. */
  readonly timeLeftMs?: number
  readonly requestId: string
  /** The caller: where calls wait, callers take turns. */
  readonly caller?: string
  /** Headers that may be passed on to the provider, already filtered: `traceparent` and the like. */
  readonly headers?: Readonly<Record<string, string>>
  /** Headers of the client that belong to the API whose body is passed on, such as `anthropic-beta`. */
  readonly apiHeaders?: Readonly<Record<string, string>> | undefined
  /** The request as the client sent it, for upstreams with its API; others send the translated request. */
  readonly native?: NativeRequest
  /** Whether a contract holds for the answer. */
  readonly isGuarded?: boolean
  /** The schema of the contract, for upstreams that send it; others find it in the messages. */
  readonly format?: AnswerFormat
  /** What a request that no client has written wants of the model: sent as the model takes it. */
  readonly parameters?: ModelParameters
  /** Those among them that a client has asked for. */
  readonly askedParameters?: AskedParameters
  /** Called when a call that failed is made again within the same attempt. */
  readonly onRepeat?: CallOptions['onRepeat']
  /** The session to resume, for upstreams with sessions; others send all messages. */
  readonly continuation?: Continuation
  /** The working folder of a command, unless it has its own. */
  readonly folder?: string
}
