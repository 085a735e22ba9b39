import type { ToolCall } from '../../answer/tool-calls.ts'
import type { Fields } from '../../answer/tool-shapes/fields.ts'
import type { Message, Usage } from '../../engine/runner.ts'
import type { JsonOutline } from '../../json/json-outline.ts'
import type { EventSink } from './frame.ts'
import type { Passes } from './references.ts'
import type { FitSchema, NativeSchema } from './structured-output.ts'
import type { See } from './view.ts'

/** Name of an API: `chat`, `messages`, `responses`, or one that a host adds. */
export type ApiName = string

/** A piece of an answer that is judged, at its place in an event or a whole reply. */
export interface JudgedPart {
  readonly choice: number
  /** `text`, or a number that stands for the tool call: its position among those that the end of its choice lists, unless that says otherwise. */
  readonly of: 'text' | number
  /** Set when it is the name of the tool call; otherwise it belongs to the arguments. */
  readonly isName?: true
  /** Its characters, decoded. */
  readonly value: string
}

/** One event of a provider's stream: its own bytes, and what of them is judged. */
export interface WireEvent {
  /** Name of the server-sent event; empty when it has none. */
  readonly name: string
  /** The data as it came, without what must never reach a client. */
  readonly data: string
  readonly parts: readonly JudgedPart[]
  /** `open` begins an answer: clients see it once, however many attempts there were. `close` waits for the verdict. */
  readonly place: 'open' | 'body' | 'close'
  /** The choices that it is about; absent when it is about the whole answer. */
  readonly choices?: readonly number[]
  /** The choices that end with it: the field `stickler` belongs into the last event that ends one. */
  readonly ends?: readonly number[]
  /** Set when it only reports usage, which not every client has requested. */
  readonly isUsage?: true
  /** Set when it holds something that no validator reads, such as audio: it waits for the verdict. */
  readonly isUnread?: true
  /** Set when nothing follows that belongs to the answer. */
  readonly isLast?: true
  /** How much it adds to what is kept of an answer, in characters. */
  readonly weight: number
}

/** A whole reply of a provider: its own bytes, and what of them is judged. */
export interface WireReply {
  readonly body: string
  /** The outline of the body as it came. */
  readonly outline?: JsonOutline | undefined
  readonly parts: readonly JudgedPart[]
}

/** What differs between the provider's words and the client's; everything else is copied. */
export interface WireChanges {
  /** The model as the client named it. */
  readonly model?: string
  /** The name of the answer, when an earlier attempt has shown another one. */
  readonly id?: string
  /** The number of the choice, when a call for one of several choices answered. */
  readonly choice?: number
  /** The values of all parts in their order, when a repair or a release has changed one of them. */
  readonly parts?: readonly string[]
  /** Where the text of the only part begins in the part as it came, when the event is written in several pieces. */
  readonly offset?: number
  /** Set when only the texts of `parts` are written, because the rest of the event follows later. */
  readonly isPartial?: true
  /** Set when text of the answer was edited: what else an event says about text must be about its own. */
  readonly isEdited?: true
  /** Set when a repair may have removed a part as a whole, so that its beginning waits until it is clear that something is left. */
  readonly mayRemove?: true
  /** Usage over all attempts in the provider's shape, when there were several; written where the provider has written its own. */
  readonly usage?: Fields
  /** Members at the top, such as `stickler`, in the event that has a place for them. */
  readonly members?: Fields
  /** Further fields of the message of each choice, such as `annotations` of citations that were found good; whole replies only. */
  readonly messages?: ReadonlyMap<number, Fields>
}

/** A request as the client sent it. */
export interface WireRequest {
  /** The JSON text: key order, big numbers and duplicate keys survive. */
  readonly source: string
  /** The same, parsed. */
  readonly body: Fields
}

/** What the engine and the route change in a request. */
export interface WireTurns {
  /** What the model is called at the provider. */
  readonly model?: string
  /** Members at the top that are never passed on, such as `stickler`. */
  readonly withheld?: ReadonlySet<string>
  /** Rules that precede the conversation. */
  readonly instructions?: string
  /** The schema of the answer, for the API's own field; the client has sent none. */
  readonly format?: NativeSchema
  /** The rejected answer and the feedback, after the conversation. */
  readonly turns: readonly Message[]
  /** Feedback before the last user message, when the model is asked from scratch. */
  readonly anew?: string
  /** Whether only one choice is asked for, though the client wants several. */
  readonly single?: boolean
  /** Whether the provider is asked to report usage in a stream, though the client did not request it. */
  readonly usage?: boolean
}

/** The fields beside the choices of an answer, as far as an event has them. */
export interface WireHead {
  readonly id?: string
  readonly created?: number
  readonly model?: string
  /** Tokens, and money where the provider says it. */
  readonly usage?: Usage
  /** The usage object in the shape of chat completions, with the provider's further counts. */
  readonly rawUsage?: Fields
  /** The provider's own usage object, where that has another shape. */
  readonly nativeUsage?: Fields
  /** Every other field at the top. */
  readonly fields?: Fields
}

/** Who listens to a reply while it is read. */
export interface WireListener {
  /** How many choices were asked for. */
  readonly count: number
  /** Whether the provider sends a finish reason with every answer. */
  readonly alwaysEnds: boolean
  /** Whether a contract holds: what clients could read in another way than it is judged is a failure then, and not passed on. */
  readonly isGuarded?: boolean
  see: See
  head(head: WireHead): void
  /** Counts bytes of an answer that no event of a choice reports, such as pieces of tool calls. */
  receive(bytes: number): void
}

/** Reads one stream, event by event. */
export interface WireReader {
  /** Whether every choice has said that it is done. */
  readonly finished: boolean
  /** Takes an event; throws a RunnerFailure when it is an error. */
  take(name: string, data: string): WireEvent
  /** Takes an event that repeats the one before in everything but its text, and gives the length of that; undefined for every other one. */
  takeRepeated?(name: string, data: string): number | undefined
  /** The event that such data is. */
  repeated?(data: string): WireEvent
  /** Ends all choices that are open; throws a RunnerFailure when the stream was cut. */
  end(): void
  /** The event without which clients have no whole answer, of a stream that ended without it though nothing else is missing. */
  missing?(): WireEvent | undefined
}

/** Writes one stream for a client; its events go to the sink that it was made with. */
export interface WireWriter {
  write(event: WireEvent, changes: WireChanges): void
  /** Called when events of another attempt follow those that were written: closes what the client has open. */
  turn(): void
  /** Writes text that no event of the provider has; absent where the API's own encoder can, because events do not depend on each other. */
  text?(text: string): void
  /** Writes calls in place of those of the provider, before the event that ends the answer; absent like `text`. */
  calls?(calls: readonly ToolCall[]): void
}

/** How one API looks on the wire: what is judged is read out of it and put back, and every other byte stays. */
export interface Wire {
  readonly api: ApiName
  /** Below the base address of a provider, such as `/chat/completions`. */
  readonly path: string
  /** The data of an event after the last one of a stream; absent where there is none. */
  readonly last?: string
  /** The arguments of a call that has none, where clients parse the text; absent where they take an empty one for it. */
  readonly noArguments?: string
  /** Reads a reply that came in one piece; throws a RunnerFailure when it is none. */
  readWhole(body: string, listener: WireListener): WireReply
  /** Begins to read a stream. */
  readStream(listener: WireListener): WireReader
  /** Begins to write a stream for one client. */
  writeStream(out: EventSink): WireWriter
  /** Makes a function that writes the frames of events that repeat each other; absent where the reader never takes one as such. */
  repeatedWriter?(changes: WireChanges): (data: string) => string
  /** Writes a whole reply. */
  writeWhole(reply: WireReply, changes: WireChanges): string
  /** An event without the references that do not pass, and nothing else removed; undefined when it is nothing but one. */
  passEvent(event: WireEvent, passes: Passes): WireEvent | undefined
  /** The same for a whole reply. */
  passReply(reply: WireReply, passes: Passes): WireReply
  /** The JSON of a request with what the engine adds to it. */
  ask(request: WireRequest, added: WireTurns): string
  /** Writes a schema as the API takes it; absent where the API has no structured output. */
  readonly fitSchema?: FitSchema
  /** Usage in the words of chat completions, for requests that were translated; absent where it is in them already. */
  chatUsage?(usage: Fields): Fields
}
