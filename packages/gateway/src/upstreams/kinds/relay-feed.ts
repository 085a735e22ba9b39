import { replyExcess, type Wire, type WireEvent, type WireReader, type WireReply } from '@stickler/core/internal'
import type { EventKeeper } from '../transport/event-stream.ts'
import type { BrokenEvent, CallRelay } from '../upstream.ts'

/** The cost of an event besides its data: a parsed one is kept with its values. */
const weightOfRead = 256
const weightOfRepeated = 32

/** Stores what a provider sends, as it arrives. */
export class RelayFeed implements CallRelay, EventKeeper {
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
    // What is too wide to be read is not shown either.
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
