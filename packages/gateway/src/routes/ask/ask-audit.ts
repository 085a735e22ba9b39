import type { AskRefused, AskReply } from '@stickler/ask'
import { auditedFailure, citationsOf, type FailedTarget, failureReply, isPiped, type QuestionParts } from '@stickler/ask/internal'
import type { NodeTrace } from '@stickler/ask/pipeline'
import { isFields } from '@stickler/core/internal'
import { HttpError } from '@stickler/core/internal/apis'
import { type Attempt, attemptsUsage } from '@stickler/core/internal/relay'
import { type AuditPipeline, type AuditRow, type AuditState, auditRow, type CostLimitName } from '@stickler/presets/internal'
import type { Caller } from '../../requests/request.ts'
import { type AskTarget, type AuditPorts, namesOf } from './ask-targets.ts'
import type { ReadRequest } from './read-request.ts'

/** A target that was called in vain. */
export interface LostTarget extends FailedTarget {
  readonly target: AskTarget
  readonly retryCount: number
}

/** What rows say besides the reply. */
interface ReplyFacts extends Pick<AuditState, 'mode' | 'answer' | 'retry_count' | 'seed' | 'temperature' | 'ts'> {
  readonly request: ReadRequest
  /** Absent when the question ended before it had its sources. */
  readonly parts: QuestionParts | undefined
  readonly lost: readonly LostTarget[]
  /** All calls, also those of helpers. */
  readonly attempts: readonly Attempt[]
}

/** Writes a row for each target that was called in vain, and one for the reply. */
export async function auditReply(reply: AskReply, facts: ReplyFacts, { audit, keep }: AuditPorts): Promise<void> {
  const isExhausted = !reply.ok && reply.attempts !== undefined
  const lost = isExhausted ? facts.lost.slice(0, -1) : facts.lost
  const isOf = ({ call }: Attempt, { target }: LostTarget): boolean => call.upstream() === target.alias
  for (const one of lost) {
    const failed = { ...failureReply(one.failure), ...namesOf(one.target), ...(reply.nodes && { nodes: reply.nodes }) }
    const attempts = facts.attempts.filter((attempt) => isOf(attempt, one))
    await audit(await replyRow(failed, { ...facts, answer: '', retry_count: one.retryCount, attempts }, keep))
  }
  const attempts = facts.attempts.filter((attempt) => !lost.some((one) => isOf(attempt, one)))
  await audit(await replyRow(reply, { ...facts, attempts }, keep))
}

function replyRow(reply: AskReply, facts: ReplyFacts, keep: AuditPorts['keep']): Promise<AuditRow> {
  const { request, parts, attempts, lost: _, ...known } = facts
  const { question, role, tenant, user } = request
  const { provider, model, validation } = reply.ok ? reply.envelope : reply
  const { sources = [] } = parts ?? request
  const { promptTokens, completionTokens, cost } = attemptsUsage(attempts)
  const isJudged = parts?.rules.cites && validation !== undefined
  const state: AuditState = {
    ...known,
    cache_hit: reply.ok && reply.envelope.cache_hit,
    citations: isJudged ? citationsOf(known.answer ?? '', sources.length).map(({ marker }) => marker) : [],
    completion_tokens: completionTokens,
    cost_usd: cost ?? (reply.upstream === undefined ? undefined : 0),
    errors: validation?.errors ?? [],
    ...(reply.ok ? {} : { failure: failureOfReply(reply), limit: reply.limit }),
    model,
    pipeline: isPiped(request) ? pipelineOf(reply) : undefined,
    prompt_tokens: promptTokens,
    provider,
    question,
    role,
    sources_urns: sources.map(({ urn }) => urn),
    status: statusOf(reply, known.mode),
    tenant,
    upstream: reply.upstream,
    user,
    validation_ok: validation?.ok,
  }
  return auditRow(state, keep)
}

function statusOf(reply: AskReply, mode: AuditState['mode']): AuditState['status'] {
  if (!reply.ok) return reply.verdict === 'unresolved' ? 'gave_up' : reply.limit || reply.param ? 'refused' : 'failed'
  const { verdict, nodes, envelope } = reply
  if (envelope.cache_hit) return 'cached'
  return verdict === 'valid' ? 'valid' : nodes === undefined || mode === 'lenient' ? 'lenient' : verdict
}

/** Citations that stayed wrong are errors, and not a failure. */
function failureOfReply({ failure, limit, param, verdict, status, error }: AskRefused): AuditState['failure'] {
  if (verdict === 'unresolved') return undefined
  if (failure !== undefined) return auditedFailure(failure)
  const kind = limit ? 'limit' : param ? 'request' : (verdict ?? (status === 499 ? 'aborted' : 'unavailable'))
  return { kind, detail: error }
}

/** The way of a question through the pipeline, as far as it got: no texts. */
function pipelineOf(reply: AskReply): AuditPipeline {
  const { nodes = [] }: { readonly nodes?: readonly NodeTrace[] } = reply
  const relevance = nodes.find((trace) => trace.relevance !== undefined)?.relevance
  return {
    context_relevant: relevance?.relevant ?? null,
    nodes: nodes.map(({ node }) => node),
    reformulations: nodes.filter(({ node }) => node === 'reformulate_with_hint').length,
    relevance_score: relevance?.score ?? null,
    type: nodes.findLast((trace) => trace.type !== undefined)?.type?.is ?? null,
    validation_status: (reply.ok && reply.envelope.validation_status) || '',
  }
}

/**
 * Writes the audit row of a question that was rejected before it was opened; resolves before the
 * rejection is sent.
 */
export async function auditRefusal(
  { identity, headers }: Pick<Caller, 'identity' | 'headers'>,
  body: Readonly<Record<string, unknown>>,
  thrown: unknown,
  { audit, keep, today }: AuditPorts & { readonly today: () => number },
): Promise<void> {
  const { key } = identity
  const { question, sources, strict } = body
  const row: AuditState = {
    question: typeof question === 'string' ? question : '',
    sources_urns: Array.isArray(sources) ? sources.map(urnOf) : [],
    mode: strict === false ? 'lenient' : 'strict',
    failure: failureOf(thrown),
    limit: limitOf(thrown),
    status: 'refused',
    tenant: key === '' ? undefined : key,
    ts: today(),
    user: userOf(headers),
  }
  await audit(await auditRow(row, keep))
}

/** The name of a source that was not checked. */
function urnOf(source: unknown): string {
  return isFields(source) && typeof source.urn === 'string' ? source.urn : ''
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
