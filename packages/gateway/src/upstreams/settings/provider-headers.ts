import { ConfigurationError } from '@stickler/core'

/** Settings of the headers of a provider. */
export interface HeaderSettings {
  readonly apiKey?: string
  /** The header of the key; `authorization: Bearer` by default. */
  readonly apiKeyHeader?: string
  /** Additional headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Alternating names and values. */
type FlatHeaders = string[]

/** Headers of the transport, which cannot be configured. */
const reserved = new Set([
  ...['host', 'connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'content-length', 'transfer-encoding', 'te'],
  ...['trailer', 'upgrade', 'expect', 'accept-encoding', 'content-type', 'content-encoding'],
])

/** Makes the headers of every request; throws for invalid ones, without repeating their values. */
export function ownHeaders(settings: HeaderSettings, defaults: Readonly<Record<string, string>>): FlatHeaders {
  const headers = new Map<string, string>(Object.entries(defaults))
  headers.set('accept-encoding', 'identity')
  headers.set('user-agent', 'stickler')
  const { apiKey = '', apiKeyHeader = 'authorization' } = settings
  if (apiKey !== '') set(headers, apiKeyHeader, apiKeyHeader.toLowerCase() === 'authorization' ? `Bearer ${apiKey}` : apiKey, 'apiKey')
  for (const [name, value] of Object.entries(settings.headers ?? {})) set(headers, name, value, 'headers')
  return [...headers].flat()
}

/** Masking shorter values would also mask ordinary words. */
const shortestValue = 8

/** The values that must be masked everywhere: a header may have a secret whatever its name is. */
export function secretsOf({ apiKey = '', headers = {} }: HeaderSettings, search: string): string[] {
  const isNamed = ([name]: readonly [string, string]) => /auth|key|token|secret|cookie|sig/i.test(name)
  const ofHeaders = Object.entries(headers).filter((header) => isNamed(header) || header[1].length >= shortestValue)
  const named = [...ofHeaders, ...[...new URLSearchParams(search)].filter(isNamed)]
  const values = named.flatMap(([, value]) => [value, value.slice(value.indexOf(' ') + 1), encodeURIComponent(value)])
  return [apiKey, ...values].map((secret) => secret.trim())
}

/** The headers of a single call that may go to a provider: well-formed trace headers. */
export function callHeaders(
  own: FlatHeaders,
  given: Readonly<Record<string, string>> | undefined,
  replaced?: Readonly<Record<string, string>>,
): FlatHeaders {
  let headers = replaced === undefined ? own : withHeaders(own, replaced)
  if (given === undefined) return headers
  for (const name of ofTraces) {
    const value = given[name]
    if (value !== undefined && value.length <= 512 && isValue(value)) headers = [...headers, name, value]
  }
  return headers
}

function withHeaders(own: FlatHeaders, replaced: Readonly<Record<string, string>>): FlatHeaders {
  const headers = new Map<string, string>()
  for (let at = 0; at < own.length; at += 2) headers.set(own[at] as string, own[at + 1] as string)
  for (const name in replaced) headers.set(name, replaced[name] as string)
  return [...headers].flat()
}

const ofTraces = ['traceparent', 'tracestate']

function set(headers: Map<string, string>, name: string, value: string, path: string): void {
  const key = name.toLowerCase()
  const problem = reserved.has(key)
    ? `${JSON.stringify(name)} is set by the gateway itself`
    : !/^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/.test(key) || !isValue(value)
      ? 'contains characters that HTTP does not allow'
      : undefined
  if (problem !== undefined)
    throw new ConfigurationError([{ path: path === 'apiKey' ? [path] : [path, name.slice(0, 100)], message: problem }])
  headers.set(key, value)
}

/** Whether HTTP allows a value: visible ASCII, spaces and tabs. */
function isValue(value: unknown): value is string {
  return typeof value === 'string' && /^[\t\x20-\x7e]*$/.test(value)
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Names of a request id, the usual one first; `request-id` is Anthropic's. */
const requestIds = ['x-request-id', 'request-id', 'apim-request-id', 'x-amzn-requestid'] as const

/** Rate limits, and the id that Anthropic's client looks for. */
const passed = /^(?:(?:x|anthropic)-ratelimit-[a-z0-9-]{1,80}|request-id)$/

const most = 40
const longest = 256
const value = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** The headers of a provider that clients may see: rate limits unchanged, its request id as `x-upstream-request-id`; undefined without any. */
export function passedHeaders(headers: Headers): Readonly<Record<string, string>> | undefined {
  let found: Record<string, string> | undefined
  let count = 0
  for (const name in headers) {
    if (!passed.test(name)) continue
    const text = sound(headers[name])
    if (text === undefined || ++count > most) continue
    found ??= {}
    found[name] = text
  }
  for (const name of requestIds) {
    const id = sound(headers[name])
    if (id !== undefined) return { ...found, 'x-upstream-request-id': id }
  }
  return found
}

function sound(given: Headers[string]): string | undefined {
  const text = typeof given === 'string' ? given : given?.[0]
  return text !== undefined && text.length <= longest && value.test(text) ? text : undefined
}
