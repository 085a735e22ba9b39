import { isFields } from '../../answer/tool-shapes/fields.ts'
import { weightOfEvent } from '../../apis/shared/event-weight.ts'
import { parseReply } from '../../apis/shared/parse-reply.ts'
import { protocolFailure, secretRoom } from '../../apis/shared/provider-error.ts'
import type { WireEvent, WireReader } from '../../apis/shared/wire.ts'
import { asRunnerFailure, type RunnerFailure } from '../../engine/runner-failure.ts'
import { type SseEvent, SseParser } from '../../runners/sse.ts'
import { type ByteSource, largeBytes, tooLarge } from './byte-source.ts'

/** Bytes of the beginning that are stored, to show what was sent instead of a stream. */
const headBytes = 300 + secretRoom

/** Maximum time to wait for more once nothing important is missing. */
const settleMs = 2000

/** Events that wait for a verdict are stored with their frames: maximum bytes for each byte of the limit, and the minimum. */
const heldShare = 4
const heldAlways = 8 * 1024 * 1024

/** Number of events read before other work gets a turn. */
const eventsPerTurn = 256

/** The same for events that have already arrived: more, because what was read before a turn is written separately. */
const eventsAtOnce = 512

/** Several times the tokens of the longest answers, with one event for each. */
const mostEvents = 1_000_000

/** A response with a success status. */
export interface Incoming {
  readonly contentType: string
  readonly body: ByteSource
  /** Its exchange with the provider. */
  readonly transfer: {
    /** Everything needed has arrived: the rest is dropped. */
    finish(): void
    destroy(): void
    /** Shortens the time limit between two pieces, once nothing important is missing. */
    hurry(idleMs: number): void
  }
  /** Maximum bytes of an answer, without the frames of a stream. */
  readonly maxBytes: number
  /** Called before a large piece of work; absent if nothing else is blocked. */
  readonly turn: (() => Promise<void>) | undefined
  /** Headers that clients may see, such as the provider's request id and its rate limits; undefined without any. */
  passedHeaders(): Readonly<Record<string, string>> | undefined
}

/** Reads the events of a stream. */
type StreamReader = Pick<WireReader, 'finished' | 'missing' | 'take' | 'takeRepeated'>

/** Stores the events of a stream as they arrive. */
export interface EventKeeper {
  /** Bytes currently stored. */
  readonly held: number
  push(event: WireEvent): void
  pushRepeated(data: string, length: number): void
  /** Called with the event that ended the stream because it is an error or invalid. */
  broke(name: string, data: string): void
}

/** Result of a read: nothing has arrived, a piece was read, or the answer is complete; a promise if other work gets a turn first. */
type Progress = 'waiting' | 'read' | 'complete' | Promise<void>

/** Reads the events of a response until the answer is complete. */
export class EventStream {
  readonly body: ByteSource
  readonly #response: Incoming
  readonly #reader: StreamReader
  readonly #keeper: EventKeeper | undefined
  readonly #parser = new SseParser()
  /** The first pieces, unparsed: they are read only after a failure. */
  readonly #beginning: Uint8Array[] = []
  #kept = 0
  /** The current piece: null at the end, undefined between two pieces. */
  #piece: Uint8Array | null | undefined
  /** Its parsed events, and how many of them have been read. */
  #events: readonly SseEvent[] | undefined
  #at = 0
  /** Bytes of the current event. */
  #open = 0
  /** Stored size of the answer so far, without frames. */
  #weight = 0
  /** Whether an event had a finish reason: one in the first event may be followed by content. */
  #hasEnd = false
  #hurries = false
  #count = 0
  /** Bytes and events since the last turn of other work. */
  #unpausedBytes = 0
  #unpausedEvents = 0
  /** The same since there was nothing to read, if that was later. */
  #bytesAtOnce = 0
  #eventsAtOnce = 0
  /** Whether everything that arrived has been read, and so written too. */
  #isIdle = true

  constructor(response: Incoming, body: ByteSource, reader: StreamReader, keeper?: EventKeeper) {
    this.#response = response
    this.body = body
    this.#reader = reader
    this.#keeper = keeper
  }

  /** Reads the next piece of the response if it has arrived; throws if the answer will never be complete. */
  read(): Progress {
    if (this.#piece === undefined) {
      this.#piece = this.#poll()
      if (this.#piece === undefined) {
        this.#bytesAtOnce = 0
        this.#eventsAtOnce = 0
        this.#isIdle = true
        return 'waiting'
      }
      if (this.#piece !== null) this.#begin(this.#piece)
      const isDue = this.#isIdle && (this.#unpausedBytes > largeBytes || this.#unpausedEvents >= eventsPerTurn)
      this.#isIdle = false
      if ((isDue || Math.max(this.#open, this.#bytesAtOnce) > largeBytes) && this.#response.turn) return this.#pause(this.#response.turn)
    }
    const isEnd = this.#piece === null
    this.#events ??= this.#piece === null ? this.#parser.end() : this.#parser.push(this.#piece)
    for (; this.#at < this.#events.length; this.#at++) {
      const event = this.#events[this.#at] as SseEvent
      this.#open = 0
      if (this.#eventsAtOnce >= eventsAtOnce && this.#response.turn) return this.#pause(this.#response.turn)
      this.#unpausedEvents++
      this.#eventsAtOnce++
      if (++this.#count > mostEvents) throw protocolFailure(`the stream has more than ${mostEvents} events`)
      if (this.#take(event, isEnd)) return this.#complete()
    }
    this.#piece = undefined
    this.#events = undefined
    this.#at = 0
    if (!isEnd) return 'read'
    if (!this.#reader.finished) throw this.#endedEarly()
    return this.#complete()
  }

  #begin(piece: Uint8Array): void {
    if (this.#kept < headBytes) {
      this.#beginning.push(piece)
      this.#kept += piece.length
    }
    this.#open += piece.length
    this.#unpausedBytes += piece.length
    this.#bytesAtOnce += piece.length
    if (this.#open > this.#response.maxBytes) throw tooLarge(this.#response.maxBytes)
  }

  #complete(): 'complete' {
    const missing = this.#keeper && this.#reader.missing?.()
    if (missing !== undefined) this.#keeper?.push(missing)
    this.#response.transfer.finish()
    return 'complete'
  }

  #pause(turn: () => Promise<void>): Promise<void> {
    this.#unpausedBytes = 0
    this.#unpausedEvents = 0
    this.#bytesAtOnce = 0
    this.#eventsAtOnce = 0
    return turn()
  }

  /** After the finish reason, a broken or silent connection loses nothing. */
  #poll(): Uint8Array | null | undefined {
    if (!this.#reader.finished) return this.body.poll()
    if (this.#hasEnd && !this.#hurries) {
      this.#response.transfer.hurry(settleMs)
      this.#hurries = true
    }
    try {
      return this.body.poll()
    } catch (thrown) {
      const failure = asRunnerFailure(thrown)
      if (failure.kind === 'aborted' || failure.kind === 'deadline') throw failure
      return null
    }
  }

  /** True when the event is the last one. */
  #take({ event, data }: SseEvent, isCutOff: boolean): boolean {
    const text = data.trim()
    if (text === '[DONE]') {
      // If an API has its own event for the end, this is not it.
      if (this.#reader.missing !== undefined && !this.#reader.finished) throw this.#endedEarly()
      return true
    }
    if (text === '') return false
    const length = this.#reader.takeRepeated?.(event, text)
    if (length !== undefined) {
      this.#weigh(length + weightOfEvent)
      this.#keeper?.pushRepeated(text, length)
      this.#weighHeld()
      return false
    }
    // The last event may be cut off; an incomplete answer is detected by what is missing.
    if (isCutOff && !isFields(parseReply(text))) return false
    const taken = this.#readEvent(event, text)
    this.#hasEnd ||= taken.ends !== undefined
    this.#weigh(taken.weight)
    this.#keeper?.push(taken)
    this.#weighHeld()
    return taken.isLast === true
  }

  #readEvent(name: string, data: string): WireEvent {
    try {
      return this.#reader.take(name, data)
    } catch (thrown) {
      this.#keeper?.broke(name, data)
      throw thrown
    }
  }

  #weigh(more: number): void {
    this.#weight += more
    if (this.#weight > this.#response.maxBytes) throw tooLarge(this.#response.maxBytes)
  }

  #weighHeld(): void {
    const { maxBytes } = this.#response
    if (this.#keeper !== undefined && this.#keeper.held > Math.max(heldAlways, heldShare * maxBytes)) throw tooLarge(maxBytes)
  }

  #endedEarly(): RunnerFailure {
    const decoder = new TextDecoder()
    const head = this.#beginning
      .map((piece) => decoder.decode(piece, { stream: true }))
      .join('')
      .slice(0, headBytes)
    if (head.trim() === '') return protocolFailure('the response is empty')
    const isStream = /^\s*(?::|data|event|id|retry)/.test(head)
    return isStream
      ? protocolFailure('the stream ended before the answer did')
      : protocolFailure('the response is not an event stream', head)
  }
}
