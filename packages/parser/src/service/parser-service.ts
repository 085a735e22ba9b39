import { availableParallelism } from 'node:os'
import { type ChannelOptions, logVerbosity, Server, setLogVerbosity } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { ReflectionService } from '@grpc/reflection'
import { HealthImplementation, protoPath as healthProto } from 'grpc-health-check'
import type { Catalogues } from '../languages/with-catalogues.ts'
import { type LocalParser, localParser } from '../local/local-parser.ts'
import { loadParserProto, parserServiceName } from '../wire/parser-proto.ts'
import { Admission } from './admission.ts'
import { listen, type TlsTexts } from './listen.ts'
import { parseHandler } from './parse-handler.ts'
import { receptionLimit } from './reception.ts'
import { shutDown } from './shut-down.ts'

/** What a parser service is made with. */
export interface ParserServiceOptions {
  /** Default: 127.0.0.1. */
  readonly host?: string
  /** Default: 0, a free one. */
  readonly port?: number
  /** PEM texts; without them the service speaks plain text. */
  readonly tls?: TlsTexts
  /** Most bytes of a message in either direction; default: 4 MiB. */
  readonly messageLimit?: number
  /** Milliseconds that one source may take to parse; default: 2000. */
  readonly timeoutMs?: number
  /** Most processes that parse; default: one for each core. */
  readonly processes?: number
  /** Most calls at a time; further ones end with UNAVAILABLE. Default: 256. */
  readonly inFlight?: number
  /** Catalogues that take the place of a language's own, by its name. */
  readonly catalogues?: Catalogues
  /** Takes the place of the parser in processes of its own; it is closed with the service. */
  readonly parser?: LocalParser
  /** Told of failures that are not the caller's, one line each. */
  readonly onFault?: (message: string) => void
  /** Silences the log of the gRPC library, for the whole process. */
  readonly quiet?: boolean
}

/** A parser service that listens. */
export interface ParserService {
  /** The port that was really taken. */
  readonly port: number
  /** The names of all languages that it parses. */
  readonly languages: readonly string[]
  /** Says NOT_SERVING, lets calls under way end within `graceMs`, and ends the service and its processes. */
  close(graceMs?: number): Promise<void>
}

/** Sources of calls under way, in characters. */
const mostCharacters = 64 * 1024 * 1024

/** Calls of one connection, and messages of all connections that are being received. */
const mostStreams = 32

/** For a message to arrive. */
const receptionMs = 3000

/** Starts a parser service; rejects with CannotListen when it cannot listen. */
export async function startParserService(options: ParserServiceOptions = {}): Promise<ParserService> {
  const { host = '127.0.0.1', port = 0, messageLimit = 4 * 1024 * 1024, inFlight = 256, onFault = () => {} } = options
  const { timeoutMs = 2000, processes = availableParallelism() } = options
  if (options.quiet) setLogVerbosity(logVerbosity.NONE)
  const { catalogues = {} } = options
  const parser = options.parser ?? localParser({ timeoutMs, processes, maxBytes: messageLimit, queue: inFlight, catalogues })
  const admission = new Admission({ calls: inFlight, characters: mostCharacters })
  const health = new HealthImplementation()
  const setHealth = (state: 'SERVING' | 'NOT_SERVING'): void => {
    for (const name of ['', parserServiceName]) health.setStatus(name, state)
  }
  const server = new Server({ ...limits(messageLimit), interceptors: [receptionLimit({ messages: mostStreams, patienceMs: receptionMs })] })
  const { definition, methods } = loadParserProto()
  server.addService(
    { Parse: { ...methods.Parse, requestDeserialize: lenient(methods.Parse.requestDeserialize) }, Languages: methods.Languages },
    {
      Parse: parseHandler({ parser, admission, onFault }),
      Languages: (_call: unknown, answer: (error: null, reply: object) => void) => answer(null, { languages: parser.languages() }),
    },
  )
  health.addToServer(server)
  new ReflectionService({ ...definition, ...loadSync(healthProto) }).addToServer(server)
  try {
    const taken = await listen(server, { host, port, tls: options.tls })
    setHealth('SERVING')
    return {
      port: taken,
      languages: parser.languages(),
      async close(graceMs = 5000) {
        setHealth('NOT_SERVING')
        await shutDown(server, admission, graceMs)
        await parser.close()
      },
    }
  } catch (error) {
    await parser.close()
    throw error
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

/** Bytes that are not a request are the caller's mistake, which gRPC would report as an internal one. */
function lenient<Request>(deserialize: (bytes: Buffer) => Request): (bytes: Buffer) => Request | 'malformed' {
  return (bytes) => {
    try {
      return deserialize(bytes)
    } catch {
      return 'malformed'
    }
  }
}
