import type { ToolCall } from '../../answer/tool-calls.ts'
import type { Fields } from '../../answer/tool-shapes/fields.ts'
import type { Message, Usage } from '../../engine/runner.ts'
import type { See } from './choice-event.ts'
import type { Passes } from './references.ts'
import type { EventSink } from './sse-frames.ts'
import type { FitSchema, NativeSchema } from './structured-output.ts'

/** Name of an API: `chat`, `messages`, `responses`, or one that a host adds. */
export type ApiName = string

/** A checked piece of an answer, with its position in an event or a whole reply. */
export interface JudgedPart {
  readonly choice: number
  /** `text`, or the number of the tool call: its index among the calls at the end of its choice, unless the end says otherwise. */
  readonly of: 'text' | number
  /** Set when it is the name of the tool call; otherwise it belongs to the arguments. */
  readonly isName?: true
  /** Its characters, decoded. */
  readonly value: string
}

/** One event of a provider's stream: its own bytes, and its checked parts. */
export interface WireEvent {
  /** Name of the server-sent event; empty when it has none. */
  readonly name: string
  /** The data as received, without fields that must never reach a client. */
  readonly data: string
  readonly parts: readonly JudgedPart[]
  /** `open` starts an answer: clients get it once, however many attempts there were. `close` waits for the verdict. */
  readonly place: 'open' | 'body' | 'close'
  /** Its choices; absent if it is about the whole answer. */
  readonly choices?: readonly number[]
  /** The choices that it ends: the field `stickler` goes into the last event that ends one. */
  readonly ends?: readonly number[]
  /** Set if it only reports usage, which not every client has requested. */
  readonly isUsage?: true
  /** Set if it has content that no validator reads, such as audio: it waits for the verdict. */
  readonly isUnread?: true
  /** Set if it is about a tool call, also without a checked piece of it. */
  readonly isCall?: true
  /** Set if nothing of the answer follows. */
  readonly isLast?: true
  /** How much it adds to the stored answer, in characters. */
  readonly weight: number
}

/** A whole reply of a provider: its own bytes, and its checked parts. */
export interface WireReply {
  readonly body: string
  readonly parts: readonly JudgedPart[]
}

/** Changes between the provider's event and the client's; everything else is copied. */
export interface WireChanges {
  /** The model as the client named it. */
  readonly model?: string
  /** The id of the answer, if an earlier attempt has shown another one. */
  readonly id?: string
  /** The index of the choice, if a call for one of several choices answered. */
  readonly choice?: number
  /** The values of all parts in order, if a repair or a release has changed one of them. */
  readonly parts?: readonly string[]
  /** The offset of the text in the original part, if the event is written in several pieces. */
  readonly offset?: number
  /** Set if only the texts of `parts` are written, because the rest of the event follows later. */
  readonly isPartial?: true
  /** Set if text of the answer was edited: fields about the text must match the new text. */
  readonly isEdited?: true
  /** Set if a repair may have removed a whole part: its start waits until some text is left. */
  readonly mayRemove?: true
  /** Usage of all attempts in the provider's format, if there were several; written where the provider has its own. */
  readonly usage?: Fields
  /** Top-level members, such as `stickler`, for the event that can have them. */
  readonly members?: Fields
  /** Additional fields of the message of each choice, such as `annotations` of accepted citations; only for whole replies. */
  readonly messages?: ReadonlyMap<number, Fields>
}

/** A request as the client sent it. */
export interface WireRequest {
  /** The JSON text, with its key order, big numbers and duplicate keys. */
  readonly source: string
  /** The same, parsed. */
  readonly body: Fields
}

/** The changes of the engine and the route in a request. */
export interface WireTurns {
  /** The model's name at the provider. */
  readonly model?: string
  /** Top-level members that are never passed on, such as `stickler`. */
  readonly withheld?: ReadonlySet<string>
  /** Rules that precede the conversation. */
  readonly instructions?: string
  /** The schema of the answer, for the API's own field, if the client has sent none. */
  readonly format?: NativeSchema
  /** The rejected answer and the feedback, after the conversation. */
  readonly turns: readonly Message[]
  /** Feedback before the last user message, when the model is asked from scratch. */
  readonly anew?: string
  /** Whether only one choice is requested, although the client wants several. */
  readonly single?: boolean
  /** Whether the provider is asked to report usage in a stream, though the client did not request it. */
  readonly usage?: boolean
}

/** The fields of an event besides the choices. */
export interface WireHead {
  readonly id?: string
  readonly created?: number
  readonly model?: string
  /** Tokens, and the cost if the provider reports it. */
  readonly usage?: Usage
  /** The usage object in the format of chat completions, with the provider's additional counts. */
  readonly rawUsage?: Fields
  /** The provider's own usage object, if its format differs. */
  readonly nativeUsage?: Fields
  /** All other top-level fields. */
  readonly fields?: Fields
}

/** The listeners and options of a reader. */
export interface WireListener {
  /** The number of requested choices. */
  readonly count: number
  /** Whether the provider sends a finish reason with every answer. */
  readonly alwaysEnds: boolean
  /** Whether a contract applies: content that clients could read in another way than it is checked is then a failure. */
  readonly isGuarded?: boolean
  see: See
  head(head: WireHead): void
  /** Counts bytes of an answer without an event, such as pieces of tool calls. */
  receive(bytes: number): void
}

/** Reads one stream, event by event. */
export interface WireReader {
  /** Whether every choice has a finish reason. */
  readonly finished: boolean
  /** Takes an event; throws a RunnerFailure when it is an error. */
  take(name: string, data: string): WireEvent
  /** Takes an event that repeats the previous one except for its text, and returns the length of the text; undefined for any other event. */
  takeRepeated?(name: string, data: string): number | undefined
  /** The event for such data. */
  repeated?(data: string): WireEvent
  /** Ends all open choices; throws a RunnerFailure if the stream was cut off. */
  end(): void
  /** The final event that clients need, if the stream ended without it and nothing else is missing. */
  missing?(): WireEvent | undefined
}

/** Writes one stream for a client; its events go to its sink. */
export interface WireWriter {
  write(event: WireEvent, changes: WireChanges): void
  /** Called when events of another attempt follow: closes what is open at the client. */
  turn(): void
  /** Writes text without an event of the provider; absent if the API's own encoder can, because its events are independent. */
  text?(text: string): void
  /** Writes calls, with their ids, that replace the provider's, before the event that ends the answer; absent like `text`. */
  calls?(calls: readonly ToolCall[]): void
  /** Writes annotations, in the format of chat completions, of the last text, before the event that ends the answer; absent like `text`. */
  annotations?(annotations: readonly unknown[]): void
}

/** The wire format of one API: checked parts are read and replaced, and every other byte stays. */
export interface Wire {
  readonly api: ApiName
  /** The path below the base address of a provider, such as `/chat/completions`. */
  readonly path: string
  /** The data of the event after the last one of a stream; absent without one. */
  readonly last?: string
  /** The arguments of a call without any, if clients parse the text; absent if they accept an empty text. */
  readonly noArguments?: string
  /** Reads a whole reply; throws a RunnerFailure if it is not one. */
  readWhole(body: string, listener: WireListener): WireReply
  /** Begins to read a stream. */
  readStream(listener: WireListener): WireReader
  /** Begins to write a stream for one client. */
  writeStream(out: EventSink): WireWriter
  /** Makes a function that writes the frames of events that repeat each other; absent if the reader does not recognise them. */
  repeatedWriter?(changes: WireChanges): (data: string) => string
  /** Writes a whole reply. */
  writeWhole(reply: WireReply, changes: WireChanges): string
  /** An event without the rejected references; undefined if it is only a reference. */
  passEvent(event: WireEvent, passes: Passes): WireEvent | undefined
  /** The same for a whole reply. */
  passReply(reply: WireReply, passes: Passes): WireReply
  /** The JSON of a request with the engine's additions. */
  ask(request: WireRequest, added: WireTurns): string
  /** Converts a schema to the API's format; absent if the API has no structured output. */
  readonly fitSchema?: FitSchema
  /** Usage in the format of chat completions, for translated requests; absent if the format is the same. */
  chatUsage?(usage: Fields): Fields
}
