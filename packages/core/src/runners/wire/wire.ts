import type { Fields } from '../../answer/tool-shapes/fields.ts'
import type { Message } from '../../engine/runner.ts'
import type { See } from './view.ts'

/** Name of an API: `chat`, `messages`, `responses`, or one that a host adds. */
export type ApiName = string

/** A piece of an answer that is judged, at its place in an event or a whole reply. */
export interface JudgedPart {
  readonly choice: number
  /** `text`, or the number of the tool call in its choice whose arguments it belongs to. */
  readonly of: 'text' | number
  /** Its characters, decoded. */
  readonly value: string
}

/** One event of a provider's stream: its own bytes, and what of them is judged. */
export interface WireEvent {
  /** Name of the server-sent event; empty when it has none. */
  readonly name: string
  /** The data as it came. */
  readonly data: string
  readonly parts: readonly JudgedPart[]
  /** `open` begins an answer and `close` ends it: clients see each once, however many attempts there were. */
  readonly place: 'open' | 'body' | 'close'
}

/** A whole reply of a provider: its own bytes, and what of them is judged. */
export interface WireReply {
  readonly body: string
  readonly parts: readonly JudgedPart[]
}

/** What differs between the provider's words and the client's; everything else is copied. */
export interface WireChanges {
  /** The model as the client named it. */
  readonly model?: string
  /** The values of all parts in their order, when a repair or a release has changed one of them. */
  readonly parts?: readonly string[]
  /** Usage over all attempts in the provider's shape, when there were several. */
  readonly usage?: Fields
  /** The field `stickler`, in the event that has a place for it. */
  readonly stickler?: unknown
}

/** What the engine adds to a request. */
export interface WireTurns {
  /** Rules that stand before the conversation. */
  readonly instructions?: string
  /** The rejected answer and the feedback, behind the conversation. */
  readonly turns: readonly Message[]
  /** Whether only one choice is asked for, though the client wants several. */
  readonly single?: boolean
}

/** Reads one stream, event by event. */
export interface WireReader {
  /** Whether every choice has said that it is done. */
  readonly finished: boolean
  /** Takes an event; throws a RunnerFailure when it is an error. */
  take(name: string, data: string): WireEvent
  /** Ends all choices that are open; throws a RunnerFailure when the stream was cut. */
  end(): void
}

/** How one API looks on the wire: what is judged is read out of it and put back, and every other byte stays. */
export interface Wire {
  readonly api: ApiName
  /** Reads a reply that came in one piece; throws a RunnerFailure when it is none. */
  readWhole(body: string, see: See): WireReply
  /** Begins to read a stream. */
  readStream(see: See): WireReader
  /** Writes an event as complete frames of server-sent events. */
  write(event: WireEvent, changes: WireChanges): string
  /** Writes a whole reply. */
  writeWhole(reply: WireReply, changes: WireChanges): string
  /** A request with what the engine adds to it. */
  ask(body: Fields, added: WireTurns): Fields
}
