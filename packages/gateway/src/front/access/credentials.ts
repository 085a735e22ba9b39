import type { IncomingHttpHeaders } from 'node:http'
import { HttpError } from '@stickler/core/internal'
import type { Identity } from '../exchange.ts'
import type { Keyring } from './keys.ts'

const nobody: Identity = Object.freeze({ key: '', role: 'local' })

/**
 * Authenticates by `authorization: Bearer` or `x-api-key`; throws the same 401 for any invalid key.
 */
export function authenticate(headers: IncomingHttpHeaders, keys: Keyring): Identity {
  const { authorization, 'x-api-key': apiKey } = headers
  if (authorization !== undefined && apiKey !== undefined) {
    throw new HttpError(400, 'Send the API key in one header only: authorization or x-api-key.', { code: 'duplicate_credentials' })
  }
  if (keys.size === 0) return nobody
  const identity = keys.identify(authorization === undefined ? String(apiKey ?? '') : bearerToken(authorization))
  if (identity !== undefined) return identity
  throw new HttpError(401, 'A valid API key is required.', { code: 'invalid_api_key', headers: { 'www-authenticate': 'Bearer' } })
}

// An empty token takes the same path as a wrong one.
function bearerToken(authorization: string): string {
  return authorization.slice(0, 7).toLowerCase() === 'bearer ' ? authorization.slice(7).trim() : ''
}
