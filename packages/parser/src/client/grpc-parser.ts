import type { MethodDefinition } from '@grpc/grpc-js'
import { languageOf, ParserUnavailable, type SyntaxParser } from '@stickler/core/syntax'
import { service } from 'grpc-health-check'
import { isLarger } from '../is-larger.ts'
import { readParserAddress } from '../settings/parser-address.ts'
import { cutTrace } from '../wire/cut-trace.ts'
import { loadParserProto, parserServiceName } from '../wire/parser-proto.ts'
import { type CallLimits, Connection } from './connection.ts'
import { mostFaults, verdictOfReply } from './verdict-of-reply.ts'

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
