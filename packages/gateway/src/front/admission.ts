import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpError } from '@stickler/core/internal/apis'
import { createHostCheck, isLoopback } from './access/hosts.ts'
import type { Keyring } from './access/keys.ts'
import { authenticate, checkRole } from './access/roles.ts'
import { hasBoundedBody, tooLarge } from './body-reader.ts'
import type { ClientExchange } from './client-exchange.ts'
import type { Access, Route } from './exchange.ts'
import { headersTooLarge, targetTooLong } from './replies/malformed-requests.ts'
import { apiHeaders, type HeaderList } from './replies/reply-headers.ts'
import type { Router } from './router.ts'
import type { HttpSettings } from './settings.ts'

/** Headers that must not be repeated: another component could read the other value. */
const onceOnly: ReadonlyMap<string, number> = new Map(
  ['host', 'authorization', 'x-api-key', 'content-type', 'content-encoding', 'content-length', 'transfer-encoding', 'origin', 'expect'].map(
    (name, index) => [name, 1 << index],
  ),
)

/** Decides which requests are admitted, and to which route. */
export interface Admission {
  /**
   * The route of a request, which is noted in the exchange; undefined when it has been answered
   * already; throws an HttpError otherwise.
   */
  admit(exchange: ClientExchange): Route | undefined
}

/** Prepares the checks before every handler. */
export function createAdmission(router: Router, keys: Keyring, settings: HttpSettings, openAccess: ReadonlySet<Access>): Admission {
  const judgeHost = createHostCheck(settings.allowedHosts, () => keys.size > 0)
  const judgeKeyless = createHostCheck(settings.allowedHosts, () => false)
  const isLocal = isLoopback(settings.host.toLowerCase())
  // Cluster probes call by address; routes that reveal more are protected from web pages that reach
  // a loopback listener by DNS rebinding.
  const anyHost = (access: Access): boolean => openAccess.has(access) && (access !== 'probe' || !isLocal)
  const judgeOrigin = createOriginCheck(settings.allowedOrigins)

  const checkHost = ({ request, host }: ClientExchange, route: Route | undefined): void => {
    if (request.headers.host === undefined && request.httpVersionMinor > 0)
      throw new HttpError(400, 'The Host header is missing.', { code: 'invalid_host' })
    const isKeyless = route?.access === 'probe' && openAccess.has('probe')
    const verdict = (isKeyless ? judgeKeyless : judgeHost)(host ?? '')
    if (verdict === 'good' || (host === undefined && !isKeyless && keys.size > 0 && settings.allowedHosts.length === 0)) return
    if (verdict === 'malformed' && host !== undefined)
      throw new HttpError(400, 'The Host header, or the host of the request target, is malformed.', { code: 'invalid_host' })
    if (route === undefined || !anyHost(route.access))
      throw new HttpError(403, 'This host name is not allowed.', { code: 'host_not_allowed' })
  }

  return {
    admit(exchange) {
      const { request, response, path } = exchange
      const { headers, url = '' } = request
      if (url.length > settings.maxTargetLength) throw targetTooLong()
      if (!path.startsWith('/'))
        throw new HttpError(400, 'The request target must be a path, or an http or https address.', { code: 'invalid_path' })
      const match = router.find(path)
      const route = match?.entry.methods.get(exchange.method)
      // The route is notified of any rejection from here on.
      exchange.route = route ?? match?.entry.first
      checkForm(request, settings)
      checkHost(exchange, route)
      const origin = judgeOrigin(headers.origin, exchange.host ?? '')
      if (origin === 'allowed') allowOrigin(response, headers.origin ?? '')
      if (match === undefined) throw new HttpError(404, 'There is nothing here.', { code: 'not_found' })
      const { allow } = match.entry
      if (isPreflight(request)) {
        if (origin === 'foreign') throw foreignOrigin()
        response.writeHead(204, [...apiHeaders, 'x-request-id', exchange.requestId, ...preflightHeaders(request, allow)]).end()
        return undefined
      }
      if (route === undefined) throw new HttpError(405, `Use ${allow} here.`, { code: 'method_not_allowed', headers: { allow } })
      if (origin === 'foreign' && route.method !== 'GET') throw foreignOrigin()
      if (!openAccess.has(route.access)) {
        exchange.identity = authenticate(headers, keys)
        checkRole(route.access, exchange.identity)
      }
      if (Number(headers['content-length'] ?? 0) > settings.maxBodyBytes) throw tooLarge(settings.maxBodyBytes)
      // Nobody reads the body of such a request.
      if ((route.method === 'GET' || route.method === 'DELETE') && !hasBoundedBody(request, 0)) response.shouldKeepAlive = false
      exchange.params = match.params
      return route
    },
  }
}

function checkForm({ httpVersionMajor, rawHeaders, headers }: IncomingMessage, { maxHeaders }: HttpSettings): void {
  if (httpVersionMajor !== 1) throw new HttpError(400, 'Use HTTP/1.1.', { code: 'unsupported_version' })
  if (rawHeaders.length > 2 * maxHeaders) throw headersTooLarge()
  let seen = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const bit = onceOnly.get((rawHeaders[index] ?? '').toLowerCase())
    if (bit === undefined) continue
    if ((seen & bit) !== 0) throw new HttpError(400, `The header ${rawHeaders[index]} is duplicated.`, { code: 'duplicate_header' })
    seen |= bit
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    throw new HttpError(417, 'Only the expectation 100-continue is supported.', { code: 'unsupported_expectation' })
  }
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw new HttpError(400, 'Only the transfer-encoding chunked is supported.', { code: 'unsupported_transfer_encoding' })
  }
}

function foreignOrigin(): HttpError {
  return new HttpError(403, 'This origin is not allowed.', { code: 'origin_not_allowed' })
}

/** How long browsers may cache the reply to a preflight, in seconds. */
const maxAge = 600

const exposed =
  'x-request-id, x-stickler-status, x-stickler-attempts, x-stickler-contract, x-stickler-fallback, x-stickler-validation-status, x-stickler-query-type, x-stickler-context-relevant, x-stickler-degraded, x-stickler-dropped, retry-after'

/** Where a request of a web page comes from. */
type OriginVerdict = 'none' | 'same' | 'allowed' | 'foreign'

/** Classifies origins; `same` is exactly the name that the request was sent to. */
function createOriginCheck(allowedOrigins: readonly string[]): (origin: string | undefined, host: string) => OriginVerdict {
  const allowed = new Set(allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, '')))
  return (origin, host) => {
    if (origin === undefined) return 'none'
    const given = origin.toLowerCase()
    if (allowed.has(given)) return 'allowed'
    const name = host.toLowerCase()
    return name !== '' && (given === `http://${name}` || given === `https://${name}`) ? 'same' : 'foreign'
  }
}

/** Lets the pages of an allowed origin read the reply; never with credentials, never for all. */
function allowOrigin(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-expose-headers', exposed)
  response.setHeader('vary', 'origin')
}

/** Whether a request is a CORS preflight. */
function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/** The headers of a preflight reply to an allowed origin. */
function preflightHeaders(request: IncomingMessage, allow: string): HeaderList {
  const asked = String(request.headers['access-control-request-headers'] ?? '').slice(0, 1024)
  const names = asked.split(',').map((name) => name.trim().toLowerCase())
  const known = names.filter((name) => /^[a-z0-9-]{1,64}$/.test(name)).join(', ')
  return [
    'access-control-allow-methods',
    allow,
    'access-control-allow-headers',
    known || 'authorization, content-type',
    'access-control-max-age',
    String(maxAge),
  ]
}
