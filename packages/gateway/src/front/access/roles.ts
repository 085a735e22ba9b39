import type { Access, Identity, Role } from '../exchange.ts'
import { HttpError } from '../replies/http-error.ts'

/** Which keys may use what; the one table of roles. */
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

/** What needs no key on a listener for operators alone. */
export const openToProbes: ReadonlySet<Access> = new Set(['open', 'page', 'probe'])

/** Refuses a key whose role does not allow this. */
export function checkRole(access: Access, { role }: Identity): void {
  if (allowed[access].has(role)) return
  const message = role === 'operator' ? 'Operator keys cannot be used for this; use a client key.' : 'This needs an operator key.'
  throw new HttpError(403, message, { code: 'role_not_allowed' })
}

/** Whose runs may be seen: only those of the key for a client, all of them when nothing is returned. */
export function ownerOf({ role, key }: Identity): string | undefined {
  return role === 'client' ? key : undefined
}
