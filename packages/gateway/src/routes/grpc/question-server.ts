import type { Metadata, MethodDefinition, ServerWritableStream, sendUnaryData } from '@grpc/grpc-js'
import { type Clock, ConfigurationError } from '@stickler/core'
import { Stop } from '@stickler/core/internal'
import { Admission, CannotListen, healthServiceName, openGrpcServer, type Refusal, type TlsTexts } from '@stickler/node/internal/grpc'
import { assistanceService, type WireAnswer } from '@stickler/presets/internal'
import { checkExposure } from '../../front/access/hosts.ts'
import type { Keyring } from '../../front/access/keys.ts'
import { defaultHttpSettings } from '../../front/settings.ts'
import { requestIdMetadata } from './call-sink.ts'
import { GrpcCall, type GrpcCallPorts, type ReadQuestion, strictly } from './grpc-call.ts'
import { callerOf, identityOf, placeOf } from './grpc-caller.ts'
import { Sessions } from './grpc-sessions.ts'
import { thrownStatus } from './grpc-status.ts'
import { loadProto } from './proto.ts'

const {
  methods: { whole, stream },
  refused: refusal,
} = assistanceService

/** The dependencies of the gRPC server for questions. */
export interface QuestionServerOptions extends Pick<GrpcCallPorts, 'answer' | 'codeOf' | 'refused' | 'ended' | 'newId' | 'coalescing'> {
  readonly host: string
  readonly port: number
  readonly tls?: TlsTexts | undefined
  /** Most bytes of a request. */
  readonly messageLimit: number
  /** Most calls at a time. */
  inFlight(): number
  /** Most calls of one caller. */
  readonly perCaller?: () => number | undefined
  /** How long a client may leave messages unread; as over HTTP when absent. */
  readonly writeIdleMs?: number
  /** The currently valid keys. */
  readonly keys: Keyring
  readonly clock: Clock
}

/** The gRPC server for questions. */
export interface QuestionServer {
  /** Where it can be reached. */
  readonly url: string
  /** How many questions are being answered. */
  readonly inFlight: number
  /** Stops accepting work. */
  drain(): void
  /** Shuts down: running calls have `graceMs` to finish, then they are aborted. */
  close(graceMs: number): Promise<void>
}

/** Text of running questions, in characters. */
const mostCharacters = 64 * 1024 * 1024

/** Serves questions over gRPC; throws a ConfigurationError when it cannot listen. */
export async function openQuestionServer(options: QuestionServerOptions): Promise<QuestionServer> {
  const { host, port, tls, messageLimit, inFlight, keys, clock, writeIdleMs = defaultHttpSettings.writeIdleMs } = options
  checkExposure(host, keys.size > 0, ['grpc', 'host'])
  const admission = new Admission({
    get calls() {
      return inFlight()
    },
    get callsPerCaller() {
      return options.perCaller?.()
    },
    characters: mostCharacters,
  })
  const open = new Set<GrpcCall>()
  let isDraining = false
  const ports: GrpcCallPorts = {
    ...options,
    admission,
    open,
    writeIdleMs,
    sessions: new Sessions(clock),
    draining: () => isDraining,
    identify: (metadata) => identityOf(metadata, keys, 'call'),
  }
  const handle = (isStream: boolean) => (call: ServerWritableStream<ReadQuestion, WireAnswer>) =>
    void new GrpcCall(call, ports).run(isStream)
  const { definition, methods } = loadProto()
  const reading = { requestDeserialize: strictly(methods[whole].requestDeserialize) }
  const service = {
    name: assistanceService.name,
    definition,
    methods: { [whole]: { ...methods[whole], ...reading }, [stream]: { ...methods[stream], ...reading }, [refusal.name]: refusedMethod },
    handlers: { [whole]: handle(false), [stream]: handle(true), [refusal.name]: refuseMethod },
  }
  const server = await openGrpcServer({
    service,
    admission,
    messageLimit,
    host,
    port,
    tls,
    quiet: true,
    callerOf: (metadata, peer) => placeOf(metadata, peer, keys),
    mayBegin: (path, metadata) => refusalOf(path, metadata, ports, keys),
  }).catch((error: unknown) => {
    if (!(error instanceof CannotListen)) throw error
    throw new ConfigurationError([{ message: error.message, path: ['grpc'] }])
  })
  const drain = (): void => {
    isDraining = true
    server.drain()
  }
  return {
    url: `${tls === undefined ? 'grpc' : 'grpcs'}://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${server.port}`,
    get inFlight() {
      return open.size
    },
    drain,
    async close(graceMs) {
      drain()
      await server.close(graceMs, () => {
        for (const call of open) call.cutOff()
      })
    },
  }
}

/** A method that clients may know; none of its messages is read. */
const refusedMethod: MethodDefinition<Buffer, Buffer> = {
  path: `/${assistanceService.name}/${refusal.name}`,
  requestStream: false,
  responseStream: false,
  requestSerialize: (bytes) => bytes,
  requestDeserialize: (bytes) => bytes,
  responseSerialize: (bytes) => bytes,
  responseDeserialize: (bytes) => bytes,
}

const unimplemented = 12

/** Says what to use in its place. */
function refuseMethod(_call: unknown, reply: sendUnaryData<Buffer>): void {
  reply({ code: unimplemented, details: refusal.advice })
}

/** Why a call is rejected: questions need a client key, everything else but health any key. */
async function refusalOf(path: string, metadata: Metadata, ports: GrpcCallPorts, keys: Keyring): Promise<Refusal | undefined> {
  if (path.startsWith(`/${healthServiceName}/`)) return undefined
  const isQuestion = path.startsWith(`/${assistanceService.name}/`)
  try {
    identityOf(metadata, keys, isQuestion ? 'call' : 'read')
    return undefined
  } catch (thrown) {
    const caller = callerOf(metadata, ports, new Stop())
    let { refusal, http } = thrownStatus(thrown, caller.requestId)
    if (isQuestion) {
      await ports.refused(caller, '', thrown).catch((failure: unknown) => {
        ;({ refusal, http } = thrownStatus(failure, caller.requestId))
      })
      ports.ended(caller, { status: http })
    }
    return { ...refusal, metadata: requestIdMetadata(caller.requestId, refusal.metadata) }
  }
}
