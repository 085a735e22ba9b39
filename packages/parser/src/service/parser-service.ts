import { availableParallelism } from 'node:os'
import { Admission, lenient, openGrpcServer, type TlsTexts } from '@stickler/node/grpc'
import type { Catalogues } from '../languages/with-catalogues.ts'
import { type LocalParser, localParser } from '../local/local-parser.ts'
import { loadParserProto, parserServiceName } from '../wire/parser-proto.ts'
import { parseCaller, parseHandler } from './parse-handler.ts'

/** What a parser service is made with. */
export interface ParserServiceOptions {
  /** Default: 127.0.0.1. */
  readonly host?: string
  /** Default: 0, a free one. */
  readonly port?: number
  /** PEM texts; without them the service uses plain text. */
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

/** Starts a parser service; rejects with CannotListen when it cannot listen. */
export async function startParserService(options: ParserServiceOptions = {}): Promise<ParserService> {
  const { host = '127.0.0.1', port = 0, messageLimit = 4 * 1024 * 1024, inFlight = 256, onFault = () => {} } = options
  const { timeoutMs = 2000, processes = availableParallelism() } = options
  const { catalogues = {}, quiet = false, tls } = options
  const parser = options.parser ?? localParser({ timeoutMs, processes, maxBytes: messageLimit, queue: inFlight, catalogues })
  const admission = new Admission({ calls: inFlight, characters: mostCharacters })
  const { definition, methods } = loadParserProto()
  const service = {
    name: parserServiceName,
    definition,
    methods: { Parse: { ...methods.Parse, requestDeserialize: lenient(methods.Parse.requestDeserialize) }, Languages: methods.Languages },
    handlers: {
      Parse: parseHandler({ parser, admission, onFault }),
      Languages: (_call: unknown, answer: (error: null, reply: object) => void) => answer(null, { languages: parser.languages() }),
    },
  }
  try {
    const server = await openGrpcServer({ service, admission, messageLimit, quiet, host, port, tls, callerOf: parseCaller })
    return {
      port: server.port,
      languages: parser.languages(),
      async close(graceMs = 5000) {
        await server.close(graceMs)
        await parser.close()
      },
    }
  } catch (error) {
    await parser.close()
    throw error
  }
}
