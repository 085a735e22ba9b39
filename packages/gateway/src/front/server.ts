import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { type Clock, ConfigurationError } from '@stickler/core'
import { HttpError } from '@stickler/core/internal/apis'
import { Connections } from '@stickler/node/internal'
import { createClientAddress } from './access/client-address.ts'
import { checkExposure } from './access/hosts.ts'
import type { Keyring } from './access/keys.ts'
import { openToAll } from './access/roles.ts'
import { createAdmission } from './admission.ts'
import { type AnsweredRequest, Dispatcher } from './dispatcher.ts'
import type { Access, Exchange, Route } from './exchange.ts'
import type { Logger } from './log.ts'
import { answerRaw, malformedRequest } from './replies/malformed-requests.ts'
import { createRouter } from './router.ts'
import { defaultHttpSettings, type HttpSettings, type LiveHttpSettings } from './settings.ts'

/** The dependencies of a server. */
export interface HttpServerOptions {
  readonly routes: readonly Route[]
  readonly settings?: Partial<HttpSettings>
  readonly keys: Keyring
  /** What needs no key here; liveness and the shell of the page when absent. */
  readonly openAccess?: ReadonlySet<Access>
  readonly log: Logger
  readonly clock: Clock
  readonly newId: () => string
  /** The address of a request's client, which counts where there are no keys; that of its connection when absent. */
  readonly addressOf?: (request: IncomingMessage) => string
  /** Called once for every request, after its end. */
  readonly answered?: (exchange: Exchange, request: AnsweredRequest) => void
  /** Waited for before a large body is read, so that many at once do not hold up everything else. */
  readonly turn?: (caller?: string) => Promise<void>
}

/** The HTTP server. */
export interface HttpServer {
  /** Starts to listen; throws a ConfigurationError when that is not possible. */
  listen(): Promise<AddressInfo>
  /** Changes limits and names for new requests. */
  configure(settings: LiveHttpSettings): void
  /** Stops accepting work; running requests continue, new ones are rejected. */
  drain(): void
  /**
   * Shuts down: waits for running requests, rejects new ones, then aborts; of several calls the
   * shortest grace wins.
   */
  close(graceMs: number): Promise<void>
  /** Whether new work is rejected; readiness is the opposite. */
  readonly draining: boolean
  /** Number of requests in progress. */
  readonly inFlight: number
}

/** How often errors with accepting connections are logged at most. */
const acceptLogMs = 10_000

/** How long aborted work may take to inform its client. */
const lastWordsMs = 500

/** Makes a server that does not listen yet. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { keys, openAccess = openToAll, log, clock, newId, answered, turn } = options
  const { addressOf = createClientAddress([]) } = options
  const settings: HttpSettings = { ...defaultHttpSettings, ...options.settings }
  checkExposure(settings.host, keys.size > 0)
  const router = createRouter(options.routes)
  const admissionOf = (settings: HttpSettings) => createAdmission(router, keys, settings, openAccess)
  let closing: Promise<void> | undefined

  let closed = () => {}
  // It listens until then: requests that arrive meanwhile, such as probes, get a shutdown error.
  const stop = () => {
    server.close(closed)
    server.closeAllConnections()
  }

  const idle = () => {
    if (!dispatcher.draining) return
    // Later, after the last reply.
    setImmediate(() => {
      if (closing !== undefined && dispatcher.isIdle) stop()
      else server.closeIdleConnections()
    })
  }
  const around = { openAccess, log, clock, newId, addressOf, answered, idle, turn }
  const dispatcher = new Dispatcher(around, admissionOf(settings), settings)

  const server = createServer({
    maxHeaderSize: settings.maxHeaderBytes,
    headersTimeout: Math.min(settings.headersTimeoutMs, settings.requestTimeoutMs),
    requestTimeout: settings.requestTimeoutMs,
    connectionsCheckingInterval: settings.checkIntervalMs,
    keepAliveTimeout: settings.keepAliveTimeoutMs,
    insecureHTTPParser: false,
    // Checked by ourselves, so that the reply has the usual format.
    requireHostHeader: false,
  })
  // Node silently drops headers beyond this number: one more than allowed shows that there are too
  // many.
  server.maxHeadersCount = settings.maxHeaders + 1

  const handle = dispatcher.handle.bind(dispatcher)
  server.on('request', handle)
  server.on('checkContinue', handle)
  server.on('checkExpectation', handle)
  const connections = new Connections(settings.maxConnections, () => dispatcher.busyNow())
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => dispatcher.gone(socket))
    connections.add(socket)
  })
  server.on('connect', (_request, socket) => answerRaw(socket, new HttpError(405, 'CONNECT is not supported.'), newId()))

  const broken = new WeakSet<Socket>()
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket
    if (broken.has(socket)) return
    broken.add(socket)
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const problem = malformedRequest(error)
    const last = dispatcher.of(socket).at(-1)
    if (last === undefined) {
      answerRaw(socket, problem, newId())
      return
    }
    // Complete requests are answered first, in order.
    if (last.request.complete) {
      last.response.once('close', () => answerRaw(socket, problem, newId()))
    } else {
      last.response.shouldKeepAlive = false
      last.failBody(problem)
    }
  })

  let loggedAt = Number.NEGATIVE_INFINITY
  server.on('error', (error) => {
    // For example too many open files: open connections continue, others are accepted later. An
    // error at startup is reported to the caller.
    if (!server.listening || clock.now() - loggedAt < acceptLogMs) return
    loggedAt = clock.now()
    log.warn({ err: error }, 'connections cannot be accepted')
  })

  const cutOff = () => {
    dispatcher.cutOff()
    const timer = setTimeout(stop, dispatcher.isIdle ? 0 : lastWordsMs)
    server.once('close', () => clearTimeout(timer))
  }

  const drain = () => {
    dispatcher.drain()
    server.closeIdleConnections()
  }

  server.on('listening', () => {
    const watch = setInterval(() => dispatcher.watchUnread(), settings.checkIntervalMs).unref()
    server.once('close', () => clearInterval(watch))
  })

  return {
    configure(live) {
      const next = { ...settings, ...live }
      dispatcher.configure(admissionOf(next), next)
    },
    listen: () => listenOn(server, settings.host, settings.port),
    drain,
    close(graceMs) {
      drain()
      closing ??= new Promise((resolve) => {
        closed = resolve
      })
      const timer = setTimeout(cutOff, graceMs)
      if (dispatcher.isIdle) idle()
      return closing.finally(() => clearTimeout(timer))
    },
    get draining() {
      return dispatcher.draining
    },
    get inFlight() {
      return dispatcher.inFlight
    },
  }
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is already in use; choose another with --port or in the configuration',
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'has an unknown host name',
}

/** Starts to listen, and reports in one sentence when that is not possible. */
function listenOn(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const reason = reasons[error.code ?? ''] ?? `cannot be used (${error.code ?? 'unknown reason'})`
      reject(new ConfigurationError([{ message: `${host}:${port} ${reason}`, path: ['port'] }]))
    }
    server.once('error', fail)
    // Node's own 511 is less than a burst of clients that reconnect after a restart; the kernel may
    // allow less.
    server.listen({ host: host.replace(/^\[(.*)\]$/, '$1'), port, backlog: 4096 }, () => {
      server.off('error', fail)
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new TypeError('not listening on a port'))
      else resolve(address)
    })
  })
}
