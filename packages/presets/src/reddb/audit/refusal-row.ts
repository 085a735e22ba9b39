import { type AuditRow, type AuditState, auditRow } from './audit-row.ts'

/** The data of a question that ends before it reaches a provider; absent fields were not used. */
export interface RefusedQuestion
  extends Pick<AuditState, 'limit' | 'role' | 'tenant' | 'ts' | 'user'>,
    Partial<Pick<AuditState, 'completionTokens' | 'costUsd' | 'pipeline' | 'promptTokens' | 'status'>> {
  /** Unvalidated: no field need have the right type. */
  readonly body: { readonly question?: unknown; readonly sources?: unknown; readonly strict?: unknown }
  readonly failure: NonNullable<AuditState['failure']>
}

/** Makes the audit row of a question that no provider gets; `refused` by default. */
export function refusalRow(
  { body, ...known }: RefusedQuestion,
  keep: { readonly answer?: boolean; readonly question?: boolean } = {},
): Promise<AuditRow> {
  const { question, sources, strict } = body
  const none = {
    cacheHit: false,
    citations: [],
    completionTokens: 0,
    promptTokens: 0,
    retryCount: 0,
    errors: [],
    status: 'refused',
  } as const
  const sourcesUrns = Array.isArray(sources) ? sources.map(urnOf) : []
  const asked = typeof question === 'string' ? question : ''
  const mode = strict === false ? 'lenient' : 'strict'
  return auditRow({ ...none, ...known, mode, question: asked, sourcesUrns }, keep)
}

function urnOf(source: unknown): string {
  const urn: unknown = typeof source === 'object' && source !== null && 'urn' in source ? source.urn : undefined
  return typeof urn === 'string' ? urn : ''
}
