import type { RunnerFailure } from '@stickler/core'
import { parseReply, type WireEvent, type WireReader, weightOfEvent } from '@stickler/core/internal'
import { asRunnerFailure, isFields, protocolFailure, type SseEvent, SseParser, secretRoom } from '@stickler/core/runners'
import { largeBytes } from './decoded-body.ts'
import { type ByteSource, tooLarge } from './transfer.ts'
import type { Incoming } from './transport.ts'

/** How many bytes of the beginning are kept, to show what came in place of a stream. */
const headBytes = 300 + secretRoom

/** How long to wait for more once nothing of importance is missing. */
const settleMs = 2000

/** Events that wait for a verdict are kept as they came, frames too: how many bytes of them for each byte of the limit, and how many in any case. */
const heldShare = 4
const heldAlways = 8 * 1024 * 1024

/** How many events are read before other work has its turn. */
const eventsPerTurn = 256

/** How many of those that are there at once: more than usual, because what was read before a turn is written by itself. */
const eventsAtOnce = 512

/** Several times the tokens of the longest answers, each in an event of its own. */
const mostEvents = 1_000_000

/** What understands the events of a stream. */
export type StreamReader = Pick<WireReader, 'finished' | 'missing' | 'take' | 'takeRepeated'>

/** Keeps the events of a stream as they come. */
export interface EventKeeper {
  /** Bytes that it keeps now. */
  readonly held: number
  push(event: WireEvent): void
  pushRepeated(data: string, length: number): void
  /** Told of the event that ended the stream because it is an error, or makes no sense. */
  broke(name: string, data: string): void
}

/** What reading has come to: nothing is there yet, a piece was read, or the answer is complete; a promise when other work has its turn first. */
export type Progress = 'waiting' | 'read' | 'complete' | Promise<void>

/** Reads the events of a response until the answer is complete. */
export class EventStream {
  readonly body: ByteSource
  readonly #response: Incoming
  readonly #reader: StreamReader
  readonly #keeper: EventKeeper | undefined
  readonly #parser = new SseParser()
  /** The first pieces as they came: they are read only when something went wrong. */
  readonly #beginning: Uint8Array[] = []
  #kept = 0
  /** The piece that is read now: null for the end, nothing between two of them. */
  #piece: Uint8Array | null | undefined
  /** What it holds, once it has been parsed, and how far that has been read. */
  #events: readonly SseEvent[] | undefined
  #at = 0
  /** Bytes of the event that is being read. */
  #open = 0
  /** What is kept of the answer so far; its frames are not. */
  #weight = 0
  /** Whether an event has told an end: a reason beside the beginning may have content after it. */
  #hasEnd = false
  #hurries = false
  #count = 0
  /** Bytes and events since other work had its turn. */
  #unpausedBytes = 0
  #unpausedEvents = 0
  /** The same since nothing was there to be read, if that was later. */
  #bytesAtOnce = 0
  #eventsAtOnce = 0
  /** Whether all that was there has been read, and so been written too. */
  #isIdle = true

  constructor(response: Incoming, body: ByteSource, reader: StreamReader, keeper?: EventKeeper) {
    this.#response = response
    this.body = body
    this.#reader = reader
    this.#keeper = keeper
  }

  /** Reads the next piece of the response, if it is there; throws when the answer will never be complete. */
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

  /** Once the model has said that it is done, a connection that breaks or falls silent takes nothing away. */
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
      // Where an API has an event of its own for the end, this is none.
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
    // The last event may be cut off; that the answer is incomplete is noticed by what is missing.
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
    const head = Buffer.concat(this.#beginning).toString('utf8').slice(0, headBytes)
    if (head.trim() === '') return protocolFailure('the response is empty')
    const isStream = /^\s*(?::|data|event|id|retry)/.test(head)
    return isStream
      ? protocolFailure('the stream ended before the answer did')
      : protocolFailure('the response is not an event stream', head)
  }
}
