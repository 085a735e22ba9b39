import type { Identity } from '../../front/exchange.ts'

/** Who asked, as log lines tell it: the name of the key and its role, never the key; nothing until a key was accepted. */
export function askerOf({ key, role }: Identity): { readonly key?: string; readonly role?: string } {
  if (key !== '') return { key, role }
  return role === 'local' ? { role } : {}
}
