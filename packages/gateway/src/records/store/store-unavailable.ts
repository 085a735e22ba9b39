import { systemCode } from '@stickler/core/internal'

/** Why nothing can be stored. */
type UnavailableReason = 'disk-full' | 'read-only' | 'journal-full' | 'too-large' | 'io' | 'database' | 'version' | 'closed'

/** Thrown when the store cannot write or read; its message never has an address or a secret. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  readonly reason: UnavailableReason
  /** The error code of the system or the database, such as `ENOSPC` or `57P03`. */
  readonly code?: string
  /** The database, such as PostgreSQL, if it failed. */
  readonly store?: string

  constructor(reason: UnavailableReason, message: string, code?: string, store?: string) {
    super(code === undefined ? message : `${message} (${code})`)
    this.reason = reason
    if (code !== undefined) this.code = code
    if (store !== undefined) this.store = store
  }
}

/** The error for a failed write to the journal. */
export function journalFailure(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error
  const code = systemCode(error)
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') return new StoreUnavailable('disk-full', 'the journal has no room', code)
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM')
    return new StoreUnavailable('read-only', 'the journal cannot be written', code)
  return new StoreUnavailable('io', 'the journal cannot be written', code)
}

/** The error for a failure of the database. */
export function databaseFailure(error: unknown, store?: string): StoreUnavailable {
  return error instanceof StoreUnavailable
    ? error
    : new StoreUnavailable('database', 'the database does not answer', systemCode(error), store)
}

/** The name of the store for clients; never its address. */
export function storeName({ store }: StoreUnavailable): string {
  return store === undefined ? 'The store' : `The store (${store})`
}

/** Describes a failure of the store to clients. */
export function unavailableSentence(error: StoreUnavailable): string {
  return `${storeName(error)} does not answer; try again in a moment.`
}
