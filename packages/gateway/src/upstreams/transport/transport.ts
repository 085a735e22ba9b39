import type { Clock, RunnerFailure } from '@stickler/core'
import {
  asRunnerFailure,
  checkNumbers,
  httpFailure,
  maxErrorBytes,
  readRetryAfter,
  redactFailure,
  redactHeaders,
  redactor,
  redirectFailure,
  systemClock,
} from '@stickler/core/internal'
import { coarseClock } from '@stickler/core/internal/apis'
import { type ByteSource, readExcerpt, type UpstreamCallOptions } from '@stickler/core/internal/relay'
import { Client, Pool } from 'undici'
import { readAddress } from '../settings/base-url.ts'
import { callHeaders, type HeaderSettings, ownHeaders, secretsOf } from '../settings/provider-headers.ts'
import { decodedBody } from './decoded-body.ts'
import { type Connection, type ResponseHead, Transfer, type TransferLimits } from './transfer.ts'

/** Time limits for a provider. */
interface Timeouts {
  /** Until a connection is made; 10 s. */
  readonly connectMs?: number
  /** Until the first byte of a stream, or the headers of any other answer; 60 s for streams, `totalMs` for others, which arrive all at once. */
  readonly firstByteMs?: number
  /** Between two pieces of an answer; 60 s. */
  readonly idleMs?: number
  /** For one answer as a whole; 10 min. */
  readonly totalMs?: number
}

/** Settings of a provider's HTTP connection. */
export interface TransportSettings extends HeaderSettings {
  /** Everything before the path of the API, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string
  /** Additional parameters of every address, such as `api-version`. */
  readonly query?: Readonly<Record<string, string>>
  readonly timeouts?: Timeouts
  /** Maximum bytes of an answer, without the frames of a stream; 16 MiB. */
  readonly maxResponseBytes?: number
  /** Maximum number of connections; 1024. */
  readonly connections?: number
}

/** The I/O that an upstream is given. */
export interface TransportPorts {
  readonly clock?: Clock
  /** Milliseconds since 1970, for a `retry-after` that is a date. */
  readonly today?: () => number
  /** Resolves when a large response may be read, so that several at once do not block the event loop. */
  readonly turn?: ((caller: string | undefined) => Promise<void>) | undefined
}

/** A request. */
interface Outgoing {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'DELETE'
  /** Appended to the path of the base address. */
  readonly path: string
  readonly body?: string | Uint8Array
  /** Whether a streamed answer is requested. */
  readonly stream: boolean
  /** Headers that replace the usual ones, such as the type of the body. */
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces the limit of the settings. */
  readonly totalMs?: number
}

/** Sends requests to one provider; it throws only RunnerFailures without secrets. */
export interface Transport {
  send(request: Outgoing, options: Pick<UpstreamCallOptions, 'signal' | 'timeLeftMs' | 'headers' | 'caller'>): PromiseLike<Incoming>
  /** Masks secrets in a text. */
  redact(text: string): string
  close(): Promise<void>
}

/** A client that counts the responses on its connection. */
class CountingClient extends Client implements Connection {
  served = 0

  constructor(origin: URL, options: object) {
    super(origin, options)
    this.on('disconnect', () => {
      this.served = 0
    })
  }

  override dispatch(options: Parameters<Client['dispatch']>[0], handler: Parameters<Client['dispatch']>[1]): boolean {
    if ('transfer' in options && options.transfer instanceof Transfer) options.transfer.useConnection(this)
    return super.dispatch(options, handler)
  }
}

/** A stream may be this many times larger than its answer: frames are much larger than pieces of a few characters. */
const framesPerText = 64

/** Makes the transport of one provider. */
export function createTransport(settings: TransportSettings, defaults: Readonly<Record<string, string>>, ports: TransportPorts): Transport {
  const { clock = systemClock, today = Date.now, turn } = ports
  const timers = coarseClock(clock)
  const { timeouts = {}, maxResponseBytes = 16 * 1024 * 1024, connections = 1024 } = settings
  const { connectMs = 10_000, idleMs = 60_000, totalMs = 600_000 } = timeouts
  checkNumbers({ ...timeouts, maxResponseBytes, connections })
  const { origin, path: basePath, search } = readAddress(settings.baseUrl, settings.query)
  const own = ownHeaders(settings, { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...defaults })
  const redact = redactor(secretsOf(settings, search))
  const createPool = (): Pool =>
    new Pool(origin, {
      connections,
      pipelining: 1,
      // Our own limits apply; those of undici would interfere.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: connectMs },
      factory: (url, options) => new CountingClient(url, options),
    })
  const pool = createPool()
  // Connections for one request each: if a reused one turned out to be closed, the others may be too.
  const fresh = createPool()

  const limitsOf = (stream: boolean, own: number): TransferLimits => ({
    firstByteMs: timeouts.firstByteMs ?? (stream ? 60_000 : own),
    firstByte: stream ? 'body' : 'headers',
    idleMs,
    totalMs: own,
    maxBytes: stream ? maxResponseBytes * framesPerText : maxResponseBytes,
  })
  const ofStreams = limitsOf(true, totalMs)
  const ofOthers = limitsOf(false, totalMs)

  function start(through: Pool, request: Outgoing, options: Parameters<Transport['send']>[1]): Transfer {
    const { method, path, body = null, stream } = request
    const limits = request.totalMs === undefined ? (stream ? ofStreams : ofOthers) : limitsOf(stream, request.totalMs)
    const transfer = new Transfer(options.signal, timers, limits, options.timeLeftMs)
    if (transfer.failed) return transfer
    const headers = callHeaders(own, options.headers, request.headers)
    const target = { path: `${basePath}${path}${search}`, method, headers, body, reset: through === fresh, transfer }
    through.dispatch(target, transfer)
    return transfer
  }

  function send(request: Outgoing, options: Parameters<Transport['send']>[1]): PromiseLike<Incoming> {
    let transfer = start(pool, request, options)
    const again = async (): Promise<Incoming> => {
      // Not while the pool still handles the failure.
      await undefined
      transfer = start(fresh, request, options)
      return opened(await transfer.head())
    }
    const opened = (head: ResponseHead): Incoming | Promise<never> => {
      const body = decodedBody(transfer, head.header('content-encoding'), transfer.maxBytes)
      if (head.status > 299) return fail(head, body)
      return new Incoming(head, body, transfer, { maxBytes: maxResponseBytes, turn: turn && (() => turn(options.caller)), redact })
    }
    return transfer
      .headUnlessStale()
      .then((head) => (head === null ? again() : opened(head)))
      .then(null, (thrown) => {
        transfer.finish()
        throw redactFailure(asRunnerFailure(thrown), redact)
      })
  }

  async function fail(head: ResponseHead, body: ByteSource): Promise<never> {
    throw await failureOf(head, body)
  }

  async function failureOf(head: ResponseHead, body: ByteSource): Promise<RunnerFailure> {
    const { status } = head
    if (status < 400) return redirectFailure(status)
    const retryAfterMs = readRetryAfter({ get: (name) => head.header(name) ?? null }, today)
    const headers = head.passed()
    const told = { ...(retryAfterMs === undefined ? {} : { retryAfterMs }), ...(headers === undefined ? {} : { headers }) }
    return httpFailure(status, await readExcerpt(body, maxErrorBytes), told)
  }

  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= Promise.all([pool.close(), fresh.close()]).then(() => {})
    return closing
  }
  return { send, redact, close }
}

/** A response with a success status. */
export class Incoming {
  readonly status: number
  readonly contentType: string
  readonly body: ByteSource
  /** Its exchange. */
  readonly transfer: Transfer
  /** Maximum bytes of an answer, without the frames of a stream. */
  readonly maxBytes: number
  /** Called before a large piece of work; absent if nothing else is blocked. */
  readonly turn: (() => Promise<void>) | undefined
  readonly #head: ResponseHead
  readonly #redact: Transport['redact']

  constructor(
    head: ResponseHead,
    body: ByteSource,
    transfer: Transfer,
    { maxBytes, turn, redact }: Pick<Incoming, 'maxBytes' | 'turn'> & Pick<Transport, 'redact'>,
  ) {
    this.#redact = redact
    this.#head = head
    this.status = head.status
    this.contentType = head.header('content-type') ?? ''
    this.body = body
    this.transfer = transfer
    this.maxBytes = maxBytes
    this.turn = turn
  }

  /** Headers that clients may see, such as the provider's request id and its rate limits; undefined without any. */
  passedHeaders(): Readonly<Record<string, string>> | undefined {
    const headers = this.#head.passed()
    return headers && redactHeaders(headers, this.#redact)
  }
}
