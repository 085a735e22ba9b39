import type { CostLimitName } from './cost-guard.ts'
import type { AskError, AskMode } from './envelope.ts'
import { sha256Hex } from './sha256.ts'

/** How a question ended. */
export type AskStatus = 'valid' | 'gave_up' | 'lenient' | 'refused' | 'failed' | 'cached'

/** Why a question ended without an answer, when its citations were not the reason. */
export interface AskFailure {
  readonly kind: string
  readonly detail: string
}

/** What is known about a question when it ends; what does not apply is absent. */
export interface AuditState {
  readonly answer?: string | undefined
  readonly cacheHit: boolean
  /** The numbers of the markers, in text order. */
  readonly citations: readonly number[]
  readonly completionTokens: number
  readonly costUsd?: number | undefined
  readonly errors: readonly AskError[]
  readonly failure?: AskFailure | undefined
  readonly limit?: CostLimitName | undefined
  readonly mode: AskMode
  readonly model?: string | undefined
  readonly promptTokens: number
  readonly provider?: string | undefined
  readonly question: string
  readonly retryCount: number
  readonly role?: string | undefined
  readonly seed?: bigint | undefined
  readonly sourcesUrns: readonly string[]
  readonly status: AskStatus
  readonly temperature?: number | undefined
  readonly tenant?: string | undefined
  /** Milliseconds since 1970. */
  readonly ts: number
  readonly user?: string | undefined
  readonly validationOk?: boolean | undefined
}

/** One question in the audit log, with its keys in alphabetical order. */
export interface AuditRow {
  /** Only when texts of answers are kept. */
  readonly answer?: string | null
  readonly answer_hash: string
  readonly cache_hit: boolean
  readonly citations: readonly number[]
  readonly completion_tokens: number
  readonly cost_usd: number | null
  readonly errors: readonly AskError[]
  readonly failure: AskFailure | null
  readonly limit: CostLimitName | null
  readonly mode: AskMode
  readonly model: string | null
  readonly prompt_tokens: number
  readonly provider: string | null
  /** Only when texts of questions are kept. */
  readonly question?: string
  readonly question_hash: string
  readonly retry_count: number
  readonly role: string | null
  /** Decimal, because it does not fit in a JSON number. */
  readonly seed: string | null
  readonly sources_urns: readonly string[]
  readonly status: AskStatus
  readonly temperature: number | null
  readonly tenant: string | null
  readonly ts: number
  readonly user: string | null
  readonly validation_ok: boolean | null
}

/** Makes the row of a question; texts of answer and question are in it only when asked for. */
export async function auditRow(
  state: AuditState,
  keep: { readonly answer?: boolean; readonly question?: boolean } = {},
): Promise<AuditRow> {
  const [answerHash, questionHash] = await Promise.all([sha256Hex(state.answer ?? ''), sha256Hex(state.question)])
  return {
    ...(keep.answer ? { answer: state.answer ?? null } : {}),
    answer_hash: answerHash,
    cache_hit: state.cacheHit,
    citations: [...state.citations],
    completion_tokens: state.completionTokens,
    cost_usd: state.costUsd ?? null,
    errors: state.errors.map(({ detail, kind }) => ({ detail, kind })),
    failure: state.failure ? { detail: state.failure.detail, kind: state.failure.kind } : null,
    limit: state.limit ?? null,
    mode: state.mode,
    model: state.model ?? null,
    prompt_tokens: state.promptTokens,
    provider: state.provider ?? null,
    ...(keep.question ? { question: state.question } : {}),
    question_hash: questionHash,
    retry_count: state.retryCount,
    role: state.role ?? null,
    seed: state.seed?.toString() ?? null,
    sources_urns: [...state.sourcesUrns],
    status: state.status,
    temperature: state.temperature ?? null,
    tenant: state.tenant ?? null,
    ts: state.ts,
    user: state.user ?? null,
    validation_ok: state.validationOk ?? null,
  }
}
