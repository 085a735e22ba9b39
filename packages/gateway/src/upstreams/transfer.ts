import { type Clock, RunnerFailure } from '@stickler/core'
import type { Dispatcher } from 'undici'
import { abortedFailure, connectionFailure } from './failures.ts'

type Controller = Dispatcher.DispatchController
type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The limits of one exchange with a provider. */
export interface TransferLimits {
  readonly firstByteMs: number
  /** What counts as the first byte: the headers, or the first byte of the body. */
  readonly firstByte: 'headers' | 'body'
  readonly idleMs: number
  readonly totalMs: number
  /** Milliseconds left for everything, when there is a deadline. */
  readonly timeLeftMs?: number
  /** Most bytes of the body as it is sent. */
  readonly maxBytes: number
}

/** What stands before the body of a response. */
export interface ResponseHead {
  readonly status: number
  header(name: string): string | undefined
}

/** Counts the responses that came over the connection of a client since it was made. */
export interface Connection {
  served: number
}

/** How many bytes may wait to be read before the provider is held back. */
const highWater = 256 * 1024

/** How long the end of a response is waited for when everything needed has come, so that the connection can be used again. */
const lingerMs = 250

/** How much may still come in that time. */
const lingerBytes = 64 * 1024

/** The longest time that `setTimeout` can wait; beyond it, it fires at once. */
const longestTimer = 2 ** 31 - 1

/** One exchange with a provider: what undici tells of it, read on demand, within limits; nothing of it is left when it is over. */
export class Transfer implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal
  readonly #clock: Clock
  readonly #limits: TransferLimits
  readonly #onAbort = (): void => this.#stop(abortedFailure(this.#signal))
  #connection: Connection | undefined
  #controller: Controller | undefined
  #head: ResponseHead | undefined
  #failure: RunnerFailure | undefined
  #queue: Uint8Array[] = []
  #queued = 0
  #received = 0
  #state: 'open' | 'lingering' | 'over' = 'open'
  #reused = false
  #wake: (() => void) | undefined
  #waitingSince: number
  #idleMs: number
  #cancelTotal: (() => void) | undefined
  #cancelIdle: (() => void) | undefined
  #begun = false

  constructor(signal: AbortSignal, clock: Clock, limits: TransferLimits) {
    this.#signal = signal
    this.#clock = clock
    this.#limits = limits
    this.#idleMs = limits.idleMs
    this.#waitingSince = clock.now()
    if (signal.aborted) {
      this.#onAbort()
      return
    }
    signal.addEventListener('abort', this.#onAbort)
    this.#limitTotal()
    this.#watch(limits.firstByteMs)
  }

  /** Whether the exchange failed before it began. */
  get failed(): boolean {
    return this.#failure !== undefined
  }

  /** Whether it failed on a connection that had served before and was closed in the meantime, so that nobody has read the request. */
  get isStale(): boolean {
    return this.#reused && this.#head === undefined && this.#failure?.kind === 'connection'
  }

  /** Told by the pool which connection is used. */
  useConnection(connection: Connection): void {
    this.#connection = connection
  }

  /** Waits for the status and the headers. */
  async head(): Promise<ResponseHead> {
    while (this.#head === undefined) {
      if (this.#failure !== undefined) throw this.#failure
      await this.#wait()
    }
    return this.#head
  }

  /** The next piece of the body; nothing at its end. */
  async read(): Promise<Uint8Array | undefined> {
    for (;;) {
      const piece = this.#queue.shift()
      if (piece !== undefined) {
        this.#queued -= piece.length
        if (this.#queued < highWater / 2) this.#controller?.resume()
        return piece
      }
      if (this.#failure !== undefined) throw this.#failure
      if (this.#state !== 'open') return undefined
      await this.#wait()
    }
  }

  /** Shortens the time between two pieces, once nothing of importance is missing. */
  hurry(idleMs: number): void {
    this.#idleMs = Math.min(this.#idleMs, idleMs)
    this.#cancelIdle?.()
    this.#cancelIdle = undefined
  }

  /** Everything needed has come: the rest is dropped, and the connection kept if the response ends soon. */
  finish(): void {
    if (this.#state !== 'open') return
    this.#letGo('lingering')
    this.#received = 0
    this.#controller?.resume()
    this.#cancelTotal = this.#clock.after(lingerMs, () => this.destroy())
  }

  /** Ends the exchange at once, with its connection. */
  destroy(): void {
    if (this.#state === 'over') return
    this.#letGo('over')
    this.#controller?.abort(new Error('the response is not needed any more'))
    this.#call()
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller
    this.#reused = (this.#connection?.served ?? 0) > 0
    if (this.#state === 'over') controller.abort(this.#failure ?? new Error('the request is not needed any more'))
  }

  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    if (status < 200 || this.#state === 'over') return
    this.#head = { status, header: (name) => first(headers[name]) }
    if (this.#limits.firstByte === 'headers') this.#begin()
    this.#call()
  }

  onResponseData(controller: Controller, piece: Uint8Array): void {
    this.#received += piece.length
    if (this.#state === 'lingering' && this.#received > lingerBytes) this.destroy()
    if (this.#state !== 'open') return
    if (!this.#begun) this.#begin()
    if (this.#received > this.#limits.maxBytes) {
      this.#stop(tooLarge(this.#limits.maxBytes))
      return
    }
    this.#queue.push(piece)
    this.#queued += piece.length
    if (this.#queued > highWater) controller.pause()
    this.#call()
  }

  onResponseEnd(): void {
    if (this.#connection !== undefined) this.#connection.served++
    if (this.#state === 'over') return
    this.#letGo('over')
    this.#call()
  }

  onResponseError(_controller: Controller, error: Error): void {
    if (this.#state === 'over') return
    if (this.#state === 'open')
      this.#failure = connectionFailure(error, this.#head !== undefined, this.#head?.header('content-length') !== undefined)
    this.#letGo('over')
    this.#call()
  }

  #stop(failure: RunnerFailure): void {
    if (this.#state === 'over') return
    this.#failure = failure
    this.#queue = []
    this.#letGo('over')
    this.#controller?.abort(failure)
    this.#call()
  }

  #letGo(state: 'lingering' | 'over'): void {
    this.#state = state
    this.#cancelTotal?.()
    this.#cancelIdle?.()
    this.#cancelTotal = undefined
    this.#cancelIdle = undefined
    this.#signal.removeEventListener('abort', this.#onAbort)
  }

  #limitTotal(): void {
    const { totalMs, timeLeftMs = Number.POSITIVE_INFINITY } = this.#limits
    const failure = (): RunnerFailure =>
      timeLeftMs < totalMs
        ? new RunnerFailure('deadline', 'the deadline passed before the answer was complete')
        : new RunnerFailure('timeout', `the answer took longer than ${totalMs} ms`)
    this.#cancelTotal = this.#clock.after(Math.min(totalMs, timeLeftMs, longestTimer), () => this.#stop(failure()))
  }

  #begin(): void {
    this.#begun = true
    this.#cancelIdle?.()
    this.#cancelIdle = undefined
  }

  /** One timer for many pieces: when it fires too early, it is set again for the rest. */
  #watch(ms: number): void {
    this.#cancelIdle = this.#clock.after(Math.min(ms, longestTimer), () => {
      const { firstByteMs } = this.#limits
      const limit = this.#begun ? this.#idleMs : firstByteMs
      // Time in which nobody wanted to read is not the provider's.
      const waited = this.#wake === undefined && this.#begun ? 0 : this.#clock.now() - this.#waitingSince
      if (waited < limit) return this.#watch(limit - waited)
      this.#stop(
        new RunnerFailure(
          'timeout',
          this.#begun ? `the provider sent nothing for ${limit} ms` : `the provider sent no answer within ${limit} ms`,
        ),
      )
    })
  }

  #wait(): Promise<void> {
    if (this.#begun) {
      this.#waitingSince = this.#clock.now()
      if (this.#cancelIdle === undefined) this.#watch(this.#idleMs)
    }
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #call(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }
}

/** The failure of a response beyond its limit. */
export function tooLarge(maxBytes: number): RunnerFailure {
  return new RunnerFailure('protocol', `the response is larger than ${maxBytes} bytes`)
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
