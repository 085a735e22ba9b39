import { availableParallelism } from 'node:os'
import { type handleUnaryCall, type Metadata, status } from '@grpc/grpc-js'
import { errorMessage } from '@stickler/core/internal'
import { ParserUnavailable, type SyntaxVerdict } from '@stickler/core/validators'
import { oneLine } from '@stickler/node/internal'
import { Admission, lenient, openGrpcServer, type Refusal, refusal, type TlsTexts } from '@stickler/node/internal/grpc'
import type { Catalogues } from '../languages/with-catalogues.ts'
import { type LocalParser, localParser } from '../local/local-parser.ts'
import { callerIn } from '../wire/caller.ts'
import { loadParserProto, parserServiceName, type WireReply, type WireRequest } from '../wire/parser-proto.ts'
import { tooHard } from '../wire/too-hard.ts'

/** What the handler of `Parse` works with. */
interface ParseHandlerPorts {
  readonly parser: Pick<LocalParser, 'parse'>
  readonly admission: Admission
  /** Told of every failure that is not the caller's. */
  onFault(message: string): void
}

const longestLanguage = 200

/** Who makes a call: a connection, or one of the callers that a gateway tells apart on its own. */
function parseCaller(metadata: Metadata, peer: string): string {
  return `${peer} ${callerIn(metadata)}`
}

/** Answers `Parse`; a call without a verdict ends with a status, never with an invented verdict. */
function parseHandler({ parser, admission, onFault }: ParseHandlerPorts): handleUnaryCall<WireRequest | 'malformed', WireReply> {
  return (call, answer) => {
    const { request } = call
    if (request === 'malformed') return answer({ code: status.INVALID_ARGUMENT, details: 'the request is not a ParseRequest' })
    const problem = problemOf(request)
    if (problem !== undefined) return answer({ code: status.INVALID_ARGUMENT, details: problem })
    const caller = parseCaller(call.metadata, call.getPeer())
    const leave = admission.enter(request.source.length, caller)
    if (leave === undefined)
      return answer({ code: status.UNAVAILABLE, details: 'the service is at its limit or shutting down; try again later' })
    const gone = new AbortController()
    call.on('cancelled', () => gone.abort())
    parser
      .parse(request.language, request.source, gone.signal, caller, patienceOf(call.getDeadline()))
      .then(
        (verdict) => answer(null, replyOf(verdict)),
        (error: unknown) => answer(refusalOf(error, onFault)),
      )
      .finally(leave)
  }
}

/** The part of the time until a deadline that parsing may take, so that its end is known before the caller gives up on the service. */
const share = 0.8

function patienceOf(deadline: Date | number): number {
  return share * Math.max(0, Number(deadline) - Date.now())
}

function problemOf({ language }: WireRequest): string | undefined {
  if (language.trim() === '') return 'language is missing'
  return language.length > longestLanguage ? `language is longer than ${longestLanguage} characters` : undefined
}

function replyOf(verdict: SyntaxVerdict): WireReply {
  if (verdict.verdict !== 'invalid') return { verdict: verdict.verdict === 'valid' ? 'VALID' : 'UNSUPPORTED', trace: [] }
  return { verdict: 'INVALID', trace: verdict.trace.map((fault) => ({ suggestion: '', ...fault })) }
}

function refusalOf(error: unknown, onFault: (message: string) => void): Refusal {
  if (!(error instanceof ParserUnavailable)) {
    onFault(oneLine(errorMessage(error), 500))
    // What went wrong inside is for the log only.
    return refusal(status.INTERNAL, 'the parser failed')
  }
  const { message, reason } = error
  if (reason === 'too-large') return refusal(status.RESOURCE_EXHAUSTED, message)
  if (reason === 'too-hard') return refusal(status.RESOURCE_EXHAUSTED, message, tooHard())
  if (reason === 'refused') return refusal(status.INVALID_ARGUMENT, message)
  if (reason === 'aborted') return refusal(status.CANCELLED, message)
  onFault(oneLine(message, 500))
  return refusal(status.UNAVAILABLE, message)
}

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
