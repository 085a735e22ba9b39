import { HttpError } from '@stickler/core/internal'
import type { Access, Identity, Role } from '../exchange.ts'

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
