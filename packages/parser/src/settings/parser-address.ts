import { ConfigurationError } from '@stickler/core'
import { closest } from '@stickler/core/internal'

/** Where a parser service listens. */
export interface ParserAddress {
  /** As gRPC takes it, such as `parser.example:50051` or `[::1]:50051`. */
  readonly target: string
  /** Whether the connection uses TLS. */
  readonly secure: boolean
  /** Written out in full, for messages; it never holds a secret. */
  readonly url: string
}

/** What users write in place of the gRPC schemes. */
const meant: Readonly<Record<string, string>> = { http: 'grpc', https: 'grpcs', tcp: 'grpc', dns: 'grpc', tls: 'grpcs', ssl: 'grpcs' }

const example = 'such as grpc://127.0.0.1:50051'
const form = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([\s\S]*)$/i

/** Reads the address of a parser service; throws without repeating the address, because it may hold a secret. */
export function readParserAddress(written: string, path: readonly string[] = ['url']): ParserAddress {
  const wrong = (message: string): ConfigurationError => new ConfigurationError([{ path, message }])
  const [, given = '', authority = '', rest = ''] = form.exec(written) ?? []
  const scheme = given.toLowerCase()
  if (scheme !== 'grpc' && scheme !== 'grpcs') throw wrong(schemeProblem(scheme))
  if (authority.includes('@')) throw wrong('must not contain a user or password')
  if (rest !== '' && rest !== '/') throw wrong(`must end after the port, ${example}`)
  const [, port = ''] = /:([0-9]{1,5})$/.exec(authority) ?? []
  if (Number(port) < 1 || Number(port) > 65_535) throw wrong(`must have a port from 1 to 65535, ${example}`)
  const host = authority.slice(0, -port.length - 1)
  const isPlain = /^(?:[^\s\\:[\]]+|\[[^\s\\\]]*\])$/.test(host)
  // Only addresses of the web have their hosts checked and written in one way.
  const { hostname = '' } = isPlain && URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : {}
  if (!/^(?:[\w.-]+|\[[0-9a-f:.]+\])$/.test(hostname)) throw wrong(`must name a host, ${example}`)
  const target = `${hostname}:${Number(port)}`
  return { target, secure: scheme === 'grpcs', url: `${scheme}://${target}` }
}

function schemeProblem(scheme: string): string {
  const guess = Object.hasOwn(meant, scheme) ? meant[scheme] : closest(scheme, ['grpc', 'grpcs'])
  return `must begin with grpc:// or grpcs://${guess === undefined ? `, ${example}` : `; did you mean ${guess}://?`}`
}
