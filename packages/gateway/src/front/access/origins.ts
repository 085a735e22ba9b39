import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HeaderList } from '../replies/headers.ts'

/** How long browsers may remember the answer to a preflight, in seconds. */
const maxAge = 600

const exposed =
  'x-request-id, x-stickler-status, x-stickler-attempts, x-stickler-contract, x-stickler-validation-status, x-stickler-query-type, x-stickler-context-relevant, x-stickler-degraded, x-stickler-dropped, retry-after'

/** Where a request of a web page comes from. */
export type OriginVerdict = 'none' | 'same' | 'allowed' | 'foreign'

/** Tells origins apart; same is who has the very name that the request was sent to. */
export function createOriginCheck(allowedOrigins: readonly string[]): (origin: string | undefined, host: string) => OriginVerdict {
  const allowed = new Set(allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, '')))
  return (origin, host) => {
    if (origin === undefined) return 'none'
    const given = origin.toLowerCase()
    if (allowed.has(given)) return 'allowed'
    const name = host.toLowerCase()
    return name !== '' && (given === `http://${name}` || given === `https://${name}`) ? 'same' : 'foreign'
  }
}

/** Lets the pages of an allowed origin read the answer; never with credentials, never for all. */
export function allowOrigin(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-expose-headers', exposed)
  response.setHeader('vary', 'origin')
}

/** Tells whether a browser asks if it may send a request. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/** The headers that answer a preflight of an allowed origin. */
export function preflightHeaders(request: IncomingMessage, allow: string): HeaderList {
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
