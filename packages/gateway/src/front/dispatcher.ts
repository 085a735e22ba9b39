import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Clock, RunnerFailure } from '@stickler/core'
import { HttpError, openaiErrorBody } from '@stickler/core/internal/apis'
import { describeError } from '@stickler/core/internal/relay'
import { FairPlaces, FairQueue } from '@stickler/core/internal/services'
import type { Admission } from './admission.ts'
import { ClientExchange, type ExchangeContext } from './client-exchange.ts'
import type { Access, Exchange } from './exchange.ts'
import type { Logger } from './log.ts'
import { goingDown, overloaded, tooManyAtOnce } from './replies/overload-errors.ts'
import { sendError } from './replies/send-error.ts'
import { requestIdFrom } from './request-id.ts'
import type { HttpSettings } from './settings.ts'

/** The data of a finished request. */
export interface AnsweredRequest {
  /** Pattern of the route; empty when there was none. */
  readonly route: string
  /** 499 when the client disconnected before the reply. */
  readonly status: number
  readonly ms: number
  /** Whether the client disconnected, or was cut off, before the end of the reply. */
  readonly aborted: boolean
}

/** The dependencies of a dispatcher. */
interface DispatcherOptions {
  /** What needs no key, and takes no place. */
  readonly openAccess: ReadonlySet<Access>
  readonly log: Logger
  readonly clock: Clock
  readonly newId: () => string
  readonly addressOf: ExchangeContext['addressOf']
  readonly answered?: ((exchange: Exchange, request: AnsweredRequest) => void) | undefined
  /** Called when the last exchange is over. */
  readonly idle: () => void
  /** Waited for before a large body is read. */
  readonly turn?: ExchangeContext['turn']
}

/** Dispatches requests to their handlers, and tracks all running ones. */
export class Dispatcher {
  readonly #options: DispatcherOptions
  /** A list and not a set: a set that is used for long makes the collector keep what has left it. */
  readonly #exchanges: ClientExchange[] = []
  #admission: Admission
  #settings: HttpSettings
  #context: ExchangeContext
  readonly #noteError: (error: Error) => void
  readonly #places = new FairPlaces()
  readonly #arriving = new FairQueue<ClientExchange>()
  #draining = false
  #count = 0

  constructor(options: DispatcherOptions, admission: Admission, settings: HttpSettings) {
    this.#options = options
    this.#admission = admission
    this.#settings = settings
    this.#context = this.#contextOf(settings)
    // A write after the end must not crash the process.
    const noteError = (error: Error): void => options.log.warn({ err: error }, 'a reply could not be written')
    this.#noteError = noteError
  }

  /** New requests get these; running ones keep theirs. */
  configure(admission: Admission, settings: HttpSettings): void {
    this.#admission = admission
    this.#settings = settings
    this.#context = this.#contextOf(settings)
  }

  /** Number of requests in progress. */
  get inFlight(): number {
    return this.#places.size
  }

  /** Whether nothing is running, not even a rejection. */
  get isIdle(): boolean {
    return this.#exchanges.length === 0
  }

  /** Whether new work is rejected. */
  get draining(): boolean {
    return this.#draining
  }

  /** Takes a request. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    const { clock, newId } = this.#options
    const requestId = requestIdFrom(request.headers['x-request-id'], newId)
    const exchange = new ClientExchange(request, response, requestId, clock.now(), this.#context)
    exchange.number = this.#count++
    exchange.slot = this.#exchanges.push(exchange) - 1
    response.on('close', () => this.#finish(exchange, isCutOff(exchange)))
    response.on('error', this.#noteError)
    if (this.#draining) response.shouldKeepAlive = false
    let work: Promise<void>
    try {
      const route = this.#admission.admit(exchange)
      if (route === undefined) return
      if (!this.#options.openAccess.has(route.access)) this.#takePlace(exchange, route.access)
      work = route.handler(exchange)
    } catch (thrown) {
      this.#refuse(exchange, thrown)
      return
    }
    work.then(
      () => this.#settle(exchange),
      (thrown) => this.#fail(exchange, thrown),
    )
  }

  /** Tracks which connections have an exchange. */
  busyNow(): (socket: Socket) => boolean {
    const sockets = new Set(this.#exchanges.map(({ request }) => request.socket))
    return (socket) => sockets.has(socket)
  }

  /** The exchanges of one connection, the oldest first. */
  of(socket: Socket): ClientExchange[] {
    return this.#exchanges.filter(({ request }) => request.socket === socket).sort((one, other) => one.number - other.number)
  }

  /**
   * Notes a closed connection; replies that were queued after another one on it learn of it only
   * here.
   */
  gone(socket: Socket): void {
    if (this.#exchanges.length === 0) return
    for (const exchange of this.of(socket)) this.#finish(exchange, true)
  }

  /** Stops accepting work. */
  drain(): void {
    this.#draining = true
    for (const { response } of this.#exchanges) response.shouldKeepAlive = false
  }

  /** Aborts all work; connected clients are informed. */
  cutOff(): void {
    for (const exchange of [...this.#exchanges]) exchange.cutOff()
  }

  /**
   * Starts the timeout of replies that are written but not read: a client must not hold a slot
   * forever. Called periodically, at no cost to requests.
   */
  watchUnread(): void {
    for (const { request, response } of this.#exchanges) {
      const { socket } = request
      if (!response.writableEnded || socket.timeout) continue
      // The socket's own timeout restarts with every byte that the client takes; it stops before
      // Node sets it for the next request.
      socket.setTimeout(this.#settings.writeIdleMs)
      response.prependOnceListener('finish', () => socket.setTimeout(0))
    }
  }

  #takePlace(exchange: ClientExchange, access: Access): void {
    if (this.#draining) throw goingDown
    const { maxInFlight, maxCallsPerCaller: most } = this.#settings
    const { caller } = exchange
    if (access === 'call' && most !== undefined && this.#places.heldBy(caller) >= most) throw tooManyAtOnce(most)
    const isFull = this.#places.size >= maxInFlight
    if (isFull && !this.#endSlowest(caller) && !this.#places.hasRoom(caller, maxInFlight)) throw overloaded
    this.#places.enter(caller)
    exchange.place = caller
  }

  /** Makes room for a caller: of those with the most bodies that are still arriving, the oldest gives way if they have more, or if it takes long. */
  #endSlowest(caller: string): boolean {
    const slowest = this.#arriving.oldestOfMost
    if (slowest === undefined) return false
    const { item: exchange, caller: sender } = slowest
    const isSlow = this.#options.clock.now() - exchange.startedAt > slowBodyMs
    if (!isSlow && (sender === caller || this.#arriving.sizeOf(sender) <= this.#places.heldBy(caller) + 1)) return false
    this.#arriving.delete(slowest)
    this.#leavePlace(exchange)
    exchange.failBody(overloaded)
    return true
  }

  #leavePlace(exchange: ClientExchange): void {
    if (exchange.place === undefined) return
    this.#places.leave(exchange.place)
    exchange.place = undefined
  }

  #contextOf({ maxBodyBytes, maxDepth }: HttpSettings): ExchangeContext {
    const { log, turn, addressOf } = this.#options
    return { log, maxBodyBytes, maxDepth, turn, addressOf, arriving: this.#arriving }
  }

  #settle(exchange: ClientExchange): void {
    const { response, isGone, route } = exchange
    if (response.writableEnded || response.destroyed || isGone) return
    this.#fail(exchange, new Error(`${route?.path} ended without an answer`))
  }

  /** Fails a request that its handler has not seen. */
  #refuse(exchange: ClientExchange, thrown: unknown): void {
    const told = exchange.route?.refused?.(exchange, thrown)
    if (told === undefined) {
      this.#fail(exchange, thrown)
      return
    }
    told.then(
      () => this.#fail(exchange, thrown),
      (failure) => this.#fail(exchange, failure),
    )
  }

  #fail(exchange: ClientExchange, thrown: unknown): void {
    const { request, response, requestId, route } = exchange
    this.#leavePlace(exchange)
    // Failures after the abort are consequences of it.
    const cause = exchange.isCutOff && !(thrown instanceof HttpError) ? goingDown : thrown
    const sent = exchange.isGone || response.destroyed ? undefined : describeError(cause, requestId)
    if (sent?.unexpected) logError(exchange, thrown, 'the request failed')
    else if (sent && cause instanceof RunnerFailure) logFailure(exchange, cause)
    if (sent === undefined || response.headersSent) {
      // Half a reply must not look like a whole one.
      if (!response.writableEnded) request.socket.destroy()
      return
    }
    try {
      sendError({ request, response, requestId }, route?.errors ?? openaiErrorBody, sent, this.#settings.maxBodyBytes)
    } catch (failure) {
      logError(exchange, failure, 'the error could not be sent')
      request.socket.destroy()
    }
  }

  /** Its place is taken by the last one. */
  #remove(exchange: ClientExchange): boolean {
    const { slot } = exchange
    if (this.#exchanges[slot] !== exchange) return false
    const last = this.#exchanges.pop() as ClientExchange
    if (last !== exchange) {
      this.#exchanges[slot] = last
      last.slot = slot
    }
    return true
  }

  #finish(exchange: ClientExchange, aborted: boolean): void {
    if (!this.#remove(exchange)) return
    const { response, requestId, startedAt, route } = exchange
    const { answered, clock, log, idle } = this.#options
    if (aborted) exchange.abandon()
    this.#leavePlace(exchange)
    if (answered !== undefined) {
      try {
        const status = response.headersSent ? response.statusCode : 499
        answered(exchange, { route: route?.path ?? '', status, ms: clock.now() - startedAt, aborted })
      } catch (thrown) {
        log.error({ err: thrown, requestId }, 'the listener of answered requests failed')
      }
    }
    if (this.#exchanges.length === 0) idle()
  }
}

/** How long a body may take while others wait for its place. */
const slowBodyMs = 2000

// Node also calls a reply finished when the rest of it was discarded with the connection.
function isCutOff({ request: { socket }, response }: ClientExchange): boolean {
  return !response.writableEnded || (socket.destroyed && !socket.writableFinished)
}

/** Without the provider's message, which may repeat the request. */
function logFailure({ log }: ClientExchange, { kind, details: { status } }: RunnerFailure): void {
  log.warn({ kind, ...(status === undefined ? {} : { status }) }, 'the upstream failed')
}

function logError({ log }: ClientExchange, thrown: unknown, message: string): void {
  try {
    log.error({ err: thrown }, message)
  } catch {
    // The thrown value cannot even be read.
    log.error(message)
  }
}
