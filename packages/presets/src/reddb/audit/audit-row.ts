import { clamp, utf8Length } from '@stickler/core/internal'
import type { CostLimitName } from '../cost-guard.ts'
import { sha256Hex } from '../sha256.ts'
import type { AskError, AskMode } from '../wire/envelope.ts'

/** How a question ended. */
export type AskStatus = 'valid' | 'gave_up' | 'lenient' | 'unresolved' | 'unchecked' | 'refused' | 'failed' | 'cached'

/** Why a question ended without an answer, when its citations were not the reason. */
export interface AskFailure {
  /** What happened at the provider, when it is one that failed; `detail` says the same in a sentence. */
  readonly code?: string
  readonly detail: string
  readonly kind: string
}

/** A question's run through the pipeline, as far as it got; keys are in alphabetical order. */
export interface AuditPipeline {
  /** The verdict on the retrieved context; null when it was not checked. */
  readonly context_relevant: boolean | null
  /** The nodes in the order in which they ran. */
  readonly nodes: readonly string[]
  readonly reformulations: number
  /** The score of the verdict, where its strategy computes one. */
  readonly relevance_score: number | null
  /** Null when the question ended before it was classified. */
  readonly type: string | null
  readonly validation_status: string
}

/** Maximum size of a row: every question has one, and a rejected question may be of any size. */
const most = { text: 16_384, answer: 65_536, name: 256, detail: 1000, urns: 100, errors: 100, citations: 1000 } as const

/** What a row omits, if anything. */
export interface AuditCut {
  readonly answer_bytes?: number
  readonly citations_count?: number
  readonly errors_count?: number
  readonly question_bytes?: number
  readonly sources_count?: number
  /** SHA-256 in hex over all URNs, joined by 0x1F. */
  readonly sources_hash?: string
}

/** One question in the audit log, with its keys in alphabetical order. */
export interface AuditRow {
  /** Only when texts of answers are stored. */
  readonly answer?: string | null
  readonly answer_hash: string
  readonly cache_hit: boolean
  readonly citations: readonly number[]
  readonly completion_tokens: number
  readonly cost_usd: number | null
  /** Only when something was too long to be stored completely. */
  readonly cut?: AuditCut
  readonly errors: readonly AskError[]
  readonly failure: AskFailure | null
  readonly limit: CostLimitName | null
  readonly mode: AskMode
  readonly model: string | null
  /** Only of questions that went through the pipeline. */
  readonly pipeline?: AuditPipeline
  readonly prompt_tokens: number
  readonly provider: string | null
  /** Only when texts of questions are stored. */
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
  /** The provider's unique name. */
  readonly upstream: string | null
  readonly user: string | null
  readonly validation_ok: boolean | null
}

/** What is known of a question, under the names of its row; absent fields do not apply. */
export type AuditState = Pick<AuditRow, 'mode' | 'status' | 'ts'> & {
  readonly [Name in Exclude<keyof AuditRow, 'answer' | 'answer_hash' | 'cut' | 'question' | 'question_hash' | 'seed'>]?:
    | AuditRow[Name]
    | undefined
} & { readonly answer?: string | undefined; readonly question: string; readonly seed?: bigint | undefined }

/** Makes the row of a question; the texts of answer and question are included only if enabled. */
export async function auditRow(
  state: AuditState,
  keep: { readonly answer?: boolean; readonly question?: boolean } = {},
): Promise<AuditRow> {
  const { answer, question, citations = [], errors = [], sources_urns: urns = [] } = state
  const [answerHash, questionHash] = await Promise.all([sha256Hex(answer ?? ''), sha256Hex(question)])
  const cut = await cutOf(state, keep)
  return {
    ...(keep.answer ? { answer: answer === undefined ? null : clamp(answer, most.answer) } : {}),
    answer_hash: answerHash,
    cache_hit: state.cache_hit ?? false,
    citations: citations.slice(0, most.citations),
    completion_tokens: state.completion_tokens ?? 0,
    cost_usd: state.cost_usd ?? null,
    ...(Object.keys(cut).length === 0 ? {} : { cut }),
    errors: errors.slice(0, most.errors).map(({ detail, kind }) => ({ detail: clamp(detail, most.detail), kind })),
    failure: state.failure ? boundedFailure(state.failure) : null,
    limit: state.limit ?? null,
    mode: state.mode,
    model: name(state.model),
    ...(state.pipeline ? { pipeline: state.pipeline } : {}),
    prompt_tokens: state.prompt_tokens ?? 0,
    provider: name(state.provider),
    ...(keep.question ? { question: clamp(question, most.text) } : {}),
    question_hash: questionHash,
    retry_count: state.retry_count ?? 0,
    role: name(state.role),
    seed: state.seed?.toString() ?? null,
    sources_urns: urns.slice(0, most.urns).map((urn) => clamp(urn, most.name)),
    status: state.status,
    temperature: state.temperature ?? null,
    tenant: name(state.tenant),
    ts: state.ts,
    upstream: name(state.upstream),
    user: name(state.user),
    validation_ok: state.validation_ok ?? null,
  }
}

function boundedFailure({ code, detail, kind }: AskFailure): AskFailure {
  return { ...(code === undefined ? {} : { code }), detail: clamp(detail, most.detail), kind: clamp(kind, most.name) }
}

function name(text: string | null | undefined): string | null {
  return text === undefined || text === null ? null : clamp(text, most.name)
}

async function cutOf(
  { answer = '', question, citations = [], errors = [], sources_urns: urns = [] }: AuditState,
  keep: { readonly answer?: boolean; readonly question?: boolean },
): Promise<AuditCut> {
  const hasAllUrns = urns.length <= most.urns && urns.every((urn) => urn.length <= most.name)
  return {
    ...(keep.answer && answer.length > most.answer ? { answer_bytes: utf8Length(answer) } : {}),
    ...(citations.length > most.citations ? { citations_count: citations.length } : {}),
    ...(errors.length > most.errors ? { errors_count: errors.length } : {}),
    ...(keep.question && question.length > most.text ? { question_bytes: utf8Length(question) } : {}),
    ...(hasAllUrns ? {} : { sources_count: urns.length, sources_hash: await sha256Hex(urns.join('\x1f')) }),
  }
}
