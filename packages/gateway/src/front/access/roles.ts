import type { IncomingHttpHeaders } from 'node:http'
import { HttpError } from '@stickler/core/internal/apis'
import type { Access, Identity, Role } from '../exchange.ts'
import type { Keyring } from './keys.ts'

/** Which keys may use what; the only table of roles. */
const allowed: Readonly<Record<Access, ReadonlySet<Role>>> = {
  call: new Set(['client', 'local']),
  read: new Set(['client', 'operator', 'local']),
  operate: new Set(['operator', 'local']),
  probe: new Set(['operator', 'local']),
  page: new Set(['client', 'operator', 'local']),
  open: new Set(['client', 'operator', 'local']),
}

/** What needs no key on a listener that serves everything. */
export const openToAll: ReadonlySet<Access> = new Set(['open', 'page'])

/** What needs no key on an operator listener. */
export const openToProbes: ReadonlySet<Access> = new Set(['open', 'page', 'probe'])

/** Rejects a key whose role does not allow this. */
export function checkRole(access: Access, { role }: Identity): void {
  if (allowed[access].has(role)) return
  const message = role === 'operator' ? 'Operator keys cannot do this; use a client key.' : 'This needs an operator key.'
  throw new HttpError(403, message, { code: 'role_not_allowed' })
}

/** The owner of visible runs: a client's own key, undefined for all runs. */
export function ownerOf({ role, key }: Identity): string | undefined {
  return role === 'client' ? key : undefined
}

const nobody: Identity = Object.freeze({ key: '', role: 'local' })

/**
 * Authenticates by `authorization: Bearer` or `x-api-key`; throws the same 401 for any invalid key.
 */
export function authenticate(headers: IncomingHttpHeaders, keys: Keyring): Identity {
  const { authorization, 'x-api-key': apiKey } = headers
  if (authorization !== undefined && apiKey !== undefined) {
    throw new HttpError(400, 'Send the API key in one header only: authorization or x-api-key.', { code: 'duplicate_credentials' })
  }
  const identity = keys.identify(authorization === undefined ? String(apiKey ?? '') : bearerToken(authorization))
  if (identity !== undefined) return identity
  if (keys.size === 0) return nobody
  throw new HttpError(401, 'A valid API key is required.', { code: 'invalid_api_key', headers: { 'www-authenticate': 'Bearer' } })
}

// An empty token takes the same path as a wrong one.
function bearerToken(authorization: string): string {
  return authorization.slice(0, 7).toLowerCase() === 'bearer ' ? authorization.slice(7).trim() : ''
}
