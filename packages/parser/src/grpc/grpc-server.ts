import {
  type ChannelOptions,
  logVerbosity,
  Server,
  type ServiceDefinition,
  setLogVerbosity,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { loadSync, type PackageDefinition } from '@grpc/proto-loader'
import { ReflectionService } from '@grpc/reflection'
import { HealthImplementation, protoPath as healthProto } from 'grpc-health-check'
import type { Admission } from './admission.ts'
import { type CallCheck, gate } from './gate.ts'
import { type ListenSettings, listen } from './listen.ts'
import { type ReceptionLimits, receptionLimit } from './reception.ts'
import { RunningCalls } from './running-calls.ts'
import { shutDown } from './shut-down.ts'

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
