import type { MethodDefinition } from '@grpc/grpc-js'
import { languageOf } from '@stickler/core/internal'
import { ParserUnavailable, type SyntaxFault, type SyntaxParser, type SyntaxVerdict } from '@stickler/core/validators'
import { oneLine } from '@stickler/node/internal'
import { service } from 'grpc-health-check'
import { isLarger } from '../is-larger.ts'
import { readParserAddress } from '../settings/parser-address.ts'
import { verdictOf } from '../verdict-of.ts'
import { cutTrace } from '../wire/cut-trace.ts'
import { loadParserProto, parserServiceName, type WireReply } from '../wire/parser-proto.ts'
import { type CallLimits, Connection } from './connection.ts'

/** A model acts on the first faults; no more of them are read. */
const mostFaults = 200
const longestMessage = 500

/** Reads a reply with suspicion: the service may be another program, and its positions and texts may be anything. */
export function verdictOfReply({ verdict, trace }: WireReply, source: string): SyntaxVerdict {
  switch (verdict) {
    case 'VALID':
      return { verdict: 'valid' }
    case 'UNSUPPORTED':
      return { verdict: 'unsupported' }
    case 'INVALID':
      return verdictOf(trace.length > 0 ? trace.slice(0, mostFaults).map(readFault) : [unplaced], source)
    default:
      throw new ParserUnavailable('the parser service replied without a verdict', 'fault', undefined, 'protocol')
  }
}

const unplaced: SyntaxFault = {
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 1,
  message: 'The code does not parse; the parser does not say where.',
}

function readFault({ line, column, endLine, endColumn, message, suggestion }: WireReply['trace'][number]): SyntaxFault {
  const advice = oneLine(suggestion, longestMessage)
  const place = { line, column, endLine, endColumn }
  return {
    ...place,
    message: oneLine(message, longestMessage) || 'The code does not parse here.',
    ...(advice === '' ? {} : { suggestion: advice }),
  }
}

/** What a client of the parser service is made with. */
export interface GrpcParserSettings {
  /** `grpc:` or `grpcs:` address of the service, with its port. */
  readonly url: string
  /** Milliseconds for one call; default: 2000. */
  readonly timeoutMs?: number
  /** PEM text of the authorities that may vouch for the service, in place of those of Node. */
  readonly ca?: string
  /** Most bytes of a message to the service; default: 4 MiB. */
  readonly messageLimit?: number
}

/** A parser in another process. */
export interface GrpcParser extends SyntaxParser {
  /** The names of all languages that the service parses. */
  languages(signal?: AbortSignal): Promise<readonly string[]>
  /** Resolves when the service reports that it is serving; rejects with ParserUnavailable. */
  ready(signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Names of languages are short; what is longer is not one. */
const longestLanguage = 100

/** Asks a parser service. It is connected when it is first asked, and whenever it is back; it need not be there yet. */
export function grpcParser({ url, timeoutMs = 2000, ca, messageLimit = 4 * 1024 * 1024 }: GrpcParserSettings): GrpcParser {
  const { Parse, Languages } = loadParserProto().methods
  const parse = { ...Parse, responseDeserialize: (bytes: Buffer) => Parse.responseDeserialize(cutTrace(bytes, mostFaults)) }
  const connection = new Connection({ address: readParserAddress(url), ca, messageLimit })
  return {
    async parse(tag, written, signal, caller) {
      const language = languageOf(tag)
      if (language === '' || language.length > longestLanguage) return { verdict: 'unsupported' }
      const source = wellFormed(written)
      if (isLarger(source, messageLimit - 3 * language.length - fieldBytes))
        throw new ParserUnavailable(
          `the code is larger than the ${messageLimit} bytes that a message to the parser service may have`,
          'too-large',
        )
      const request = { language: wellFormed(language), source }
      return verdictOfReply(await connection.call(parse, request, { timeoutMs, signal, caller }), source)
    },
    async languages(signal) {
      const { languages } = await connection.call(Languages, {}, { timeoutMs, signal })
      return languages
    },
    ready: (signal) => checkHealth(connection, { timeoutMs, signal }),
    async close() {
      connection.close()
    },
  }
}

/** For the numbers and lengths of both fields. */
const fieldBytes = 16

/** Half of a surrogate pair has no place on the wire; columns stay as they are. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

type HealthCheck = MethodDefinition<{ readonly service: string }, { readonly status: string }>

/** Resolves when the parser service reports that it is serving. */
async function checkHealth(connection: Connection, limits: CallLimits): Promise<void> {
  const { status } = await connection.call(service.Check as unknown as HealthCheck, { service: parserServiceName }, limits)
  if (status !== 'SERVING') throw new ParserUnavailable('the parser service is not serving', 'fault')
}
