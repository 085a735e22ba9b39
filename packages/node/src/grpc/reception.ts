import { constants, type ServerHttp2Stream } from 'node:http2'
import { type Metadata, ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js'
import { FairQueue, type Queued } from '@stickler/core/internal/services'
import { type Refusal, refusal } from './refusal.ts'

/** How much is received at a time. */
export interface ReceptionLimits {
  /** Most messages; further ones wait in the hands of their senders. */
  readonly messages: number
  /** Milliseconds until a message must be there. */
  readonly patienceMs: number
  /** Who sends a message; by default its connection. */
  callerOf?(metadata: Metadata, peer: string): string
  /** Methods that have places of their own, by the beginning of their path. */
  readonly first?: { readonly path: string; readonly messages: number }
}

/** A message that is being received, or waits for that. */
interface Reception {
  /** Begins to receive it. */
  receive(): void
  /** Ends the call without its message. */
  end(why: Refusal): void
}

/** What is known of a message that waits or is received. */
interface Place {
  readonly reception: Reception
  /** Its place among those that are received; undefined while it waits. */
  received: Queued<Place> | undefined
  /** When receiving began. */
  since: number
}

/**
 * Limits how many messages are received at a time: a client that holds back the end of a message
 * must not take unbounded memory, nor the places of others.
 */
export function receptionLimit({ messages, patienceMs, callerOf = byPeer, first }: ReceptionLimits): ServerInterceptor {
  const usual = new Receptions(messages, patienceMs / 2)
  // These messages are tiny: one that is not there at once may give way.
  const foremost = new Receptions(first?.messages ?? 0, 0)
  return ({ path }, call) => {
    const receptions = first !== undefined && path.startsWith(first.path) ? foremost : usual
    let leave = (): void => {}
    let timer: NodeJS.Timeout | undefined
    const done = (): void => {
      clearTimeout(timer)
      timer = undefined
      leave()
    }
    const giveUp = (): void => {
      if (timer !== undefined) discard(call)
      done()
    }
    const end = (why: Refusal): void => {
      call.sendStatus(why)
      giveUp()
    }
    return new ServerInterceptingCall(call, {
      start: (start) =>
        start({
          // Before the metadata is passed on nothing of the message is read.
          onReceiveMetadata(metadata, next) {
            const receive = (): void => {
              const late = refusal(status.DEADLINE_EXCEEDED, `the message did not arrive within ${patienceMs} ms`)
              timer = setTimeout(() => end(late), patienceMs)
              next(metadata)
            }
            const place = receptions.hold(callerOf(metadata, call.getPeer()), { receive, end })
            leave = () => receptions.leave(place)
            receptions.begin(place)
          },
          onReceiveHalfClose(next) {
            done()
            next()
          },
          onCancel: giveUp,
        }),
    })
  }
}

/** A connection counts for itself where nothing else is known of its caller. */
function byPeer(_metadata: Metadata, peer: string): string {
  return peer
}

const tooSlow = refusal(status.UNAVAILABLE, 'the message did not arrive while others were waiting; try again')

/** Callers take turns; while all places are taken, the oldest message of a caller with more of them, or a slow one, gives way to another caller. */
class Receptions {
  readonly #most: number
  readonly #slowMs: number
  readonly #received = new FairQueue<Place>()
  readonly #waiting = new FairQueue<Place>()
  #timer: NodeJS.Timeout | undefined

  constructor(most: number, slowMs: number) {
    this.#most = most
    this.#slowMs = slowMs
  }

  /** Adds a message to those that wait. */
  hold(caller: string, reception: Reception): Queued<Place> {
    return this.#waiting.add(caller, { reception, received: undefined, since: 0 })
  }

  /** Receives a message as soon as there is a place. */
  begin(place: Queued<Place>): void {
    if (this.#received.size < this.#most || this.#endSlowest(place.caller)) this.#receive(place)
    else this.#retryLater()
  }

  /** Gives the place of a message back. */
  leave(place: Queued<Place>): void {
    const { received } = place.item
    if (received === undefined) this.#waiting.delete(place)
    else if (this.#received.delete(received)) this.#fill()
  }

  #receive(place: Queued<Place>): void {
    const { caller, item } = place
    this.#waiting.take(place)
    item.received = this.#received.add(caller, item)
    item.since = performance.now()
    item.reception.receive()
  }

  #fill(): void {
    const next = this.#received.size < this.#most ? this.#waiting.next : undefined
    if (next !== undefined) this.#receive(next)
  }

  #retryLater(): void {
    this.#timer ??= setTimeout(() => this.#retry(), Math.max(this.#slowMs, 10)).unref()
  }

  /** Messages that were not slow when others came may be so by now. */
  #retry(): void {
    this.#timer = undefined
    let tried = 0
    const { callers } = this.#waiting
    for (const place of this.#waiting) {
      // The oldest of each caller comes first; what does not help it does not help the next.
      if (++tried > callers) break
      if (this.#received.size < this.#most || this.#endSlowest(place.caller)) this.#receive(place)
    }
    if (this.#waiting.size > 0) this.#retryLater()
  }

  #endSlowest(caller: string): boolean {
    const slowest = this.#received.oldestOfMost
    if (slowest === undefined || slowest.caller === caller) return false
    const { since, reception } = slowest.item
    const isSlow = performance.now() - since >= this.#slowMs
    if (!isSlow && this.#received.sizeOf(slowest.caller) <= this.#received.sizeOf(caller) + 1) return false
    this.#received.delete(slowest)
    reception.end(tooSlow)
    return true
  }
}

/** Until then a status that was sent has left. */
const statusMs = 100

/**
 * gRPC keeps a partial message for as long as the sender likes, even after the call has ended; only
 * its stream can be closed for good.
 */
function discard(call: object): void {
  // Newer versions of Node drop a status that is still on its way when its stream is closed.
  setTimeout(() => streamOf(call)?.close(constants.NGHTTP2_NO_ERROR), statusMs).unref()
}

/** The stream of a call, which gRPC does not show; undefined where it is not found. */
export function streamOf(call: object): ServerHttp2Stream | undefined {
  type Inner = { readonly stream?: ServerHttp2Stream; readonly call?: Inner; readonly nextCall?: Inner }
  let inner: Inner | undefined = call
  while (inner !== undefined && inner.stream === undefined) inner = inner.nextCall ?? inner.call
  return inner?.stream
}
