import { type Clock, RunnerFailure, type StopSignal } from '@stickler/core'
import { abortedFailure, connectionFailure, type Deferred } from '@stickler/core/internal'
import { type ByteSource, pollUntil, tooLarge } from '@stickler/core/internal/relay'
import type { Dispatcher } from 'undici'
import { passedHeaders } from '../settings/provider-headers.ts'

type Controller = Dispatcher.DispatchController
type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The limits of one exchange with a provider. */
export interface TransferLimits {
  readonly firstByteMs: number
  /** What counts as the first byte: the headers, or the first byte of the body. */
  readonly firstByte: 'headers' | 'body'
  readonly idleMs: number
  readonly totalMs: number
  /** Maximum bytes of the encoded body. */
  readonly maxBytes: number
}

/** The status and headers of a response. */
export class ResponseHead {
  readonly status: number
  readonly #headers: Headers

  constructor(status: number, headers: Headers) {
    this.status = status
    this.#headers = headers
  }

  /** The first value of a header. */
  header(name: string): string | undefined {
    const value = this.#headers[name]
    return Array.isArray(value) ? value[0] : value
  }

  /** The headers that clients may see; undefined without any. */
  passed(): Readonly<Record<string, string>> | undefined {
    return passedHeaders(this.#headers)
  }
}

/** Counts the responses on the connection of a client. */
export interface Connection {
  served: number
}

/** Maximum unread bytes before the provider is paused. */
const highWater = 256 * 1024

/** Maximum time to wait for the end of a response after everything needed has arrived, so that the connection can be reused. */
const lingerMs = 250

/** Maximum bytes in that time. */
const lingerBytes = 64 * 1024

/** The longest time that `setTimeout` can wait; beyond it, it fires at once. */
const longestTimer = 2 ** 31 - 1

/** One exchange with a provider: undici's events, read on demand and within limits; it leaves nothing behind. */
export class Transfer implements Dispatcher.DispatchHandler, ByteSource {
  readonly #signal: StopSignal
  readonly #clock: Clock
  readonly #limits: TransferLimits
  readonly #timeLeftMs: number
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
  readonly #startedAt: number
  #waitingSince: number
  #idleMs: number
  /** One timer for all limits: if it fires too early, it is set again for the rest. */
  #cancelTimer: (() => void) | undefined
  #timerAt = 0
  #begun = false

  /** `timeLeftMs` is the time left until the deadline, if there is one. */
  constructor(signal: StopSignal, clock: Clock, limits: TransferLimits, timeLeftMs = Number.POSITIVE_INFINITY) {
    this.#signal = signal
    this.#timeLeftMs = timeLeftMs
    this.#clock = clock
    this.#limits = limits
    this.#idleMs = limits.idleMs
    this.#startedAt = clock.now()
    this.#waitingSince = this.#startedAt
    if (signal.aborted) {
      this.#onAbort()
      return
    }
    signal.addEventListener('abort', this.#onAbort)
    this.#watch(this.#startedAt, limits.firstByteMs)
  }

  /** Whether the exchange failed before it began. */
  get failed(): boolean {
    return this.#failure !== undefined
  }

  /** Called by the pool with the connection in use. */
  useConnection(connection: Connection): void {
    this.#connection = connection
  }

  /** Waits for the status and the headers; undefined if a reused connection was closed meanwhile, so that the request was not read. */
  headUnlessStale(): Deferred<ResponseHead | null> {
    return pollUntil(this, () => {
      if (this.#head !== undefined) return this.#head
      if (this.#reused && this.#failure?.kind === 'connection') return null
      if (this.#failure !== undefined) throw this.#failure
      return undefined
    })
  }

  /** Waits for the status and the headers. */
  async head(): Promise<ResponseHead> {
    const head = await this.headUnlessStale()
    if (head === null) throw this.#failure
    return head
  }

  poll(): Uint8Array | null | undefined {
    const piece = this.#queue.shift()
    if (piece !== undefined) {
      this.#queued -= piece.length
      if (this.#queued < highWater / 2) this.#controller?.resume()
      return piece
    }
    if (this.#failure !== undefined) throw this.#failure
    return this.#state === 'open' ? undefined : null
  }

  wait(ready: () => void): void {
    if (this.#begun) {
      const now = this.#clock.now()
      this.#waitingSince = now
      if (this.#timerAt > now + this.#idleMs) this.#watch(now, this.#idleMs)
    }
    this.#wake = ready
  }

  /** Shortens the time limit between two pieces, once nothing important is missing. */
  hurry(idleMs: number): void {
    this.#idleMs = Math.min(this.#idleMs, idleMs)
  }

  /** Everything needed has arrived: the rest is dropped, and the connection is reused if the response ends soon. */
  finish(): void {
    if (this.#state !== 'open') return
    this.#letGo('lingering')
    this.#received = 0
    this.#controller?.resume()
    this.#cancelTimer = this.#clock.after(lingerMs, () => this.destroy())
  }

  /** Maximum bytes of the encoded body. */
  get maxBytes(): number {
    return this.#limits.maxBytes
  }

  /** Ends the exchange at once, and closes its connection. */
  destroy(): void {
    if (this.#state === 'over') return
    this.#letGo('over')
    this.#controller?.abort(new Error('the response is no longer needed'))
    this.#call()
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller
    this.#reused = (this.#connection?.served ?? 0) > 0
    if (this.#state === 'over') controller.abort(this.#failure ?? new Error('the request is no longer needed'))
  }

  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    if (status < 200 || this.#state === 'over') return
    this.#head = new ResponseHead(status, headers)
    if (this.#limits.firstByte === 'headers') this.#begun = true
    this.#call()
  }

  onResponseData(controller: Controller, piece: Uint8Array): void {
    this.#received += piece.length
    if (this.#state === 'lingering' && this.#received > lingerBytes) this.destroy()
    if (this.#state !== 'open') return
    this.#begun = true
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
    if (this.#state === 'open') this.#failure = connectionFailure(error, { hasAnswered: this.#head !== undefined })
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
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#signal.removeEventListener('abort', this.#onAbort)
  }

  /** Sets the timer for the next limit: idle time or total time. */
  #watch(now: number, ms: number): void {
    const left = Math.min(ms, this.#totalMs - (now - this.#startedAt), longestTimer)
    this.#cancelTimer?.()
    this.#timerAt = now + left
    this.#cancelTimer = this.#clock.after(left, this.#onTimer)
  }

  readonly #onTimer = (): void => {
    const now = this.#clock.now()
    if (now - this.#startedAt >= this.#totalMs) {
      this.#stop(this.#tookTooLong())
      return
    }
    const limit = this.#begun ? this.#idleMs : this.#limits.firstByteMs
    // Time in which no reader wanted data does not count against the provider.
    const waited = this.#wake === undefined && this.#begun ? 0 : now - this.#waitingSince
    if (waited < limit) this.#watch(now, limit - waited)
    else this.#stop(silence(this.#begun, limit))
  }

  get #totalMs(): number {
    return Math.min(this.#limits.totalMs, this.#timeLeftMs)
  }

  #tookTooLong(): RunnerFailure {
    const { totalMs } = this.#limits
    return this.#timeLeftMs < totalMs
      ? new RunnerFailure('deadline', 'the deadline passed before the answer was complete')
      : new RunnerFailure('timeout', `the answer took longer than ${totalMs} ms`)
  }

  #call(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }
}

function silence(begun: boolean, ms: number): RunnerFailure {
  return new RunnerFailure('timeout', begun ? `the provider sent nothing for ${ms} ms` : `the provider sent no answer within ${ms} ms`)
}
