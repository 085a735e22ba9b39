import type { AuditLog } from '@stickler/ask'
import { type CostLimitName, refusalRow } from '@stickler/ask/internal'
import { HttpError } from '@stickler/core/internal/apis'
import { askStore } from '../../records/store/ask-store.ts'
import type { Caller } from '../../requests/request.ts'

/** Where rejections are audited, and which texts are stored. */
interface RefusalPorts {
  readonly audit: AuditLog
  readonly keep?: { readonly answer?: boolean; readonly question?: boolean }
  readonly today: () => number
}

/**
 * Writes the audit row of a question that was rejected before it reached a provider; resolves
 * before the rejection is sent.
 */
export async function auditRefusal(
  { identity, headers }: Pick<Caller, 'identity' | 'headers'>,
  body: Readonly<Record<string, unknown>>,
  thrown: unknown,
  { audit, keep = {}, today }: RefusalPorts,
): Promise<void> {
  const { key } = identity
  const row = await refusalRow(
    {
      body,
      failure: failureOf(thrown),
      limit: limitOf(thrown),
      tenant: key === '' ? undefined : key,
      ts: today(),
      user: userOf(headers),
    },
    keep,
  )
  await askStore(audit.write(row))
}

/** The user that a caller names, for cache and audit. */
export function userOf({ 'x-stickler-user': user }: Caller['headers']): string | undefined {
  return typeof user === 'string' ? user : undefined
}

function failureOf(thrown: unknown): { readonly kind: string; readonly detail: string } {
  if (!(thrown instanceof HttpError)) return { kind: 'internal_error', detail: 'internal error in the gateway' }
  return { kind: thrown.details.code ?? 'request', detail: thrown.message }
}

function limitOf(thrown: unknown): CostLimitName | undefined {
  return thrown instanceof HttpError ? (thrown.details.body?.limit as CostLimitName | undefined) : undefined
}

/** An audit that knows whether anything was written. */
export class WatchedAudit implements AuditLog {
  readonly #inner: AuditLog
  isWritten = false

  constructor(inner: AuditLog) {
    this.#inner = inner
  }

  write(row: Parameters<AuditLog['write']>[0]): Promise<void> {
    this.isWritten = true
    return this.#inner.write(row)
  }
}
