import type { Failure } from '@stickler/core'
import type { NodeTrace } from '../pipeline/node-trace.ts'
import { PortUnavailable } from '../ports.ts'
import type { Breach, CostLimitName } from '../spending/cost-guard.ts'
import { type AskEnvelope, type AskValidation, giveUpBody } from './envelope.ts'

/** The answer to a question. */
export interface AskAnswered {
  readonly ok: true
  readonly status: 200
  /**
   * The result of checking; anything but `valid` is delivered only leniently, or by the pipeline,
   * which says so in `validation_status`.
   */
  readonly verdict: 'valid' | 'unresolved' | 'unchecked'
  /** The provider that answered, or whose answer was cached: its unique name. */
  readonly upstream: string
  readonly envelope: AskEnvelope
  /** What each node did, when the question went through the pipeline. */
  readonly nodes?: readonly NodeTrace[]
}

/** Why there is no answer. */
export interface AskRefused {
  readonly ok: false
  /** 422 when the citations stayed wrong, 424 when they could not be checked, 413 and 504 for limits, otherwise what the failure of the provider means. */
  readonly status: number
  /** Set when it is the answer that is refused, and not the question: what checking it gave. */
  readonly verdict?: 'unresolved' | 'unchecked'
  readonly error: string
  /** The parameter that is wrong, with 400. */
  readonly param?: string
  readonly validation?: AskValidation
  readonly limit?: CostLimitName
  readonly failure?: Failure
  /** With 503 when all providers failed: each in its order, with its reason. */
  readonly attempts?: readonly FailedProvider[]
  /** When a retry may help. */
  readonly retryAfterMs?: number
  /** The provider that refused or failed, when the question got that far. */
  readonly provider?: string
  readonly upstream?: string
  readonly model?: string
  /** What each node did as far as the question got, when it went through the pipeline. */
  readonly nodes?: readonly NodeTrace[]
}

/** A provider that could not answer. */
export interface FailedProvider {
  readonly provider: string
  readonly detail: string
}

/** The result of a question. */
export type AskReply = AskAnswered | AskRefused

/** The body of a rejection. */
export function refusalBody({ error, validation, limit, param, attempts }: AskRefused): Readonly<Record<string, unknown>> {
  if (validation !== undefined) return { ...giveUpBody(validation) }
  return {
    ok: false,
    error,
    ...(limit === undefined ? {} : { limit }),
    ...(param === undefined ? {} : { param }),
    ...(attempts === undefined ? {} : { attempts }),
  }
}

/** The reply when all providers have failed, one after the other; `last` is the last one. */
export function exhaustedReply(failed: readonly { readonly label: string; readonly reply: AskRefused }[], last: AskRefused): AskRefused {
  const attempts = failed.map(({ label, reply }) => ({ provider: label, detail: reply.error }))
  const waits = failed.flatMap(({ reply }) => reply.failure?.retryAfterMs ?? [])
  return {
    ...last,
    status: 503,
    error: `all providers failed: ${attempts.map(({ provider, detail }) => `[${provider}: ${detail}]`).join(' ')}`,
    attempts,
    ...(waits.length === 0 ? {} : { retryAfterMs: Math.min(...waits) }),
  }
}

/** The reply for a provider failure. */
export function failureReply(failure: Failure): AskRefused {
  return { ok: false, status: statusOf(failure), error: messageOf(failure), failure }
}

/** The reply when a limit is exceeded. */
export function limitReply({ status, detail, limit }: Breach): AskRefused {
  return { ok: false, status, error: detail, limit }
}

/** The reply when a port fails. */
export function unavailableReply(error: unknown, otherwise: string): AskRefused {
  return { ok: false, status: 503, error: error instanceof PortUnavailable ? error.message : otherwise, retryAfterMs: 2000 }
}

/** Whether another provider may succeed. */
export function mayFailOver({ kind, status = 0 }: Failure): boolean {
  return kind === 'connection' || kind === 'timeout' || (kind === 'http' && status >= 500)
}

function statusOf({ kind, status = 502 }: Failure): number {
  if (kind === 'timeout' || kind === 'deadline') return 504
  if (kind === 'aborted') return 499
  // A client cannot fix that our own key was rejected.
  return kind === 'http' && status !== 401 && status !== 403 && status >= 400 ? status : 502
}

function messageOf({ kind, status }: Failure): string {
  if (kind === 'timeout' || kind === 'deadline') return 'the provider did not answer in time'
  if (kind === 'aborted') return 'the question was withdrawn'
  return status === undefined ? 'the provider failed' : `the provider answered with status ${status}`
}
