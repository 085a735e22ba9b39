import {
  type ChannelOptions,
  logVerbosity,
  type Metadata,
  Server,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServiceDefinition,
  setLogVerbosity,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { loadSync, type PackageDefinition } from '@grpc/proto-loader'
import { ReflectionService } from '@grpc/reflection'
import { systemClock, waitAtMost } from '@stickler/core/internal'
import { HealthImplementation, protoPath as healthProto } from 'grpc-health-check'
import type { Admission } from './admission.ts'
import { type Listener, type ListenSettings, listen } from './listen.ts'
import { type ReceptionLimits, receptionLimit } from './reception.ts'
import { type Refusal, refusal } from './refusal.ts'

/** Decides by its path and metadata whether a call may begin; resolves to why not. */
export type CallCheck = (path: string, metadata: Metadata) => Promise<Refusal | undefined> | Refusal | undefined

/** One service of a server. */
export interface ServedService {
  /** With its package, as health checks name it. */
  readonly name: string
  /** The loaded `.proto`, which reflection shows. */
  readonly definition: PackageDefinition
  readonly methods: ServiceDefinition
  readonly handlers: UntypedServiceImplementation
}

/** What a server is made with. */
export interface GrpcServerOptions extends ListenSettings {
  readonly service: ServedService
  /** Counts the calls under way; closing the server waits for them. */
  readonly admission: Admission
  /** Most bytes of a message in either direction. */
  readonly messageLimit: number
  /** Who makes a call; by default its connection. */
  readonly callerOf?: ReceptionLimits['callerOf']
  /** Decides which calls may begin; without it all of them may. */
  readonly mayBegin?: CallCheck
  /** Silences the log of the gRPC library, for the whole process. */
  readonly quiet?: boolean
}

/** A server that listens, with health and reflection. */
export interface GrpcServer {
  /** The port that was really taken. */
  readonly port: number
  /** Reports NOT_SERVING and admits no more calls. */
  drain(): void
  /**
   * Drains, lets running calls end within `graceMs`, after which `cutOff` may abort those that are
   * left, and stops the server.
   */
  close(graceMs: number, cutOff?: () => void): Promise<void>
}

/** The standard service of health checks. */
export const healthServiceName = 'grpc.health.v1.Health'

/** Calls of one connection. */
const mostStreams = 32

/** Messages of all connections that are being received: as many as one connection has calls, because messages of its own that wait would block it. Those of health checks are beside all others. */
const mostMessages = mostStreams
const mostChecks = 8

/** For a message to arrive. */
const receptionMs = 3000

/** Starts a server; rejects with CannotListen when it cannot listen. */
export async function openGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { service, admission, messageLimit, callerOf, mayBegin } = options
  if (options.quiet) setLogVerbosity(logVerbosity.NONE)
  const health = new HealthImplementation()
  const setHealth = (state: 'SERVING' | 'NOT_SERVING'): void => {
    for (const name of ['', service.name]) health.setStatus(name, state)
  }
  const reception = receptionLimit({
    messages: mostMessages,
    patienceMs: receptionMs,
    first: { path: `/${healthServiceName}/`, messages: mostChecks },
    ...(callerOf === undefined ? {} : { callerOf }),
  })
  // In this order the stream of a call that may not begin is ended like that of a message that does not come.
  const running = new RunningCalls(`/${healthServiceName}/`)
  const interceptors = mayBegin === undefined ? [running.count, reception] : [running.count, reception, gate(mayBegin)]
  const server = new Server({ ...limits(messageLimit), interceptors })
  server.addService(service.methods, service.handlers)
  health.addToServer(server)
  new ReflectionService({ ...service.definition, ...loadSync(healthProto) }).addToServer(server)
  const listener = await listen(server, options, (peer) => running.has(peer))
  setHealth('SERVING')
  const drain = (): void => {
    setHealth('NOT_SERVING')
    void admission.close()
  }
  return {
    port: listener.port,
    drain,
    async close(graceMs, cutOff) {
      drain()
      await shutDown(server, listener, admission, graceMs, cutOff)
    },
  }
}

function limits(messageLimit: number): ChannelOptions {
  return {
    'grpc.max_receive_message_length': messageLimit,
    'grpc.max_send_message_length': messageLimit,
    // For one connection; what all of them hold is bounded by reception and admission.
    'grpc.max_concurrent_streams': mostStreams,
    'grpc.max_connection_idle_ms': 300_000,
    'grpc.max_connection_age_ms': 1_800_000,
    'grpc.max_connection_age_grace_ms': 30_000,
    // Connections whose client has vanished are closed.
    'grpc.keepalive_time_ms': 60_000,
    'grpc.keepalive_timeout_ms': 20_000,
  }
}

/** Ends calls that may not begin before anything of their message is read. */
function gate(check: CallCheck): ServerInterceptor {
  return ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start: (start) =>
        start({
          onReceiveMetadata(metadata, next) {
            const decide = (refused: Refusal | undefined): void => {
              if (refused === undefined) next(metadata)
              else call.sendStatus(refused)
            }
            const checked = check(path, metadata)
            if (checked instanceof Promise)
              void checked.then(decide, () => decide(refusal(status.INTERNAL, 'the call could not be checked')))
            else decide(checked)
          },
        }),
    })
}

/** For replies that are still on their way, and for clients that watch the health of the service, who never leave by themselves. */
const flushMs = 200

/** For calls that were cut off to note how they ended. */
const lastWordsMs = 1000

/** Takes no more calls, lets those under way end within the grace, after which `cutOff` is called, and ends the server. */
async function shutDown(server: Server, listener: Listener, admission: Admission, graceMs: number, cutOff?: () => void): Promise<void> {
  listener.close()
  const ended = new Promise<void>((resolve) => server.tryShutdown(() => resolve()))
  const idle = admission.close()
  await within(graceMs, idle)
  cutOff?.()
  if (cutOff !== undefined) await within(lastWordsMs, idle)
  // Newer versions of Node do not count connections that were accepted here.
  await within(
    flushMs,
    ended.then(() => listener.idle()),
  )
  server.forceShutdown()
  listener.destroy()
}

async function within(timeoutMs: number, work: Promise<void>): Promise<void> {
  await waitAtMost(work, { clock: systemClock, timeoutMs }, () => {})
}

/** Knows which peers have a call that runs: one whose message has arrived and that has no status yet. */
class RunningCalls {
  readonly #running = new Map<string, number>()
  readonly #except: string

  /** Calls of methods whose path begins with `except` do not count. */
  constructor(except: string) {
    this.#except = except
  }

  /** Whether a peer has such a call. */
  has(peer: string): boolean {
    return this.#running.has(peer)
  }

  /** Counts calls. */
  readonly count: ServerInterceptor = ({ path }, call) => {
    if (path.startsWith(this.#except)) return new ServerInterceptingCall(call)
    const peer = call.getPeer()
    let hasBegun = false
    let isOver = false
    const end = (): void => {
      if (isOver) return
      isOver = true
      if (hasBegun) this.#add(peer, -1)
    }
    return new ServerInterceptingCall(call, {
      start: (start) =>
        start({
          onReceiveHalfClose: (next) => {
            hasBegun = !isOver
            if (hasBegun) this.#add(peer, 1)
            next()
          },
          onCancel: end,
        }),
      sendStatus(status, next) {
        end()
        next(status)
      },
    })
  }

  #add(peer: string, by: number): void {
    const count = (this.#running.get(peer) ?? 0) + by
    if (count > 0) this.#running.set(peer, count)
    else this.#running.delete(peer)
  }
}
