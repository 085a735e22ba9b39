import type { Failure } from '@stickler/core'
import { refusalWords } from '@stickler/core/internal'
import {
  type AskEnvelope,
  type AskValidation,
  type Breach,
  type CostLimitName,
  type FailedCode,
  type FailedProvider,
  giveUpBody,
} from '@stickler/presets/internal'
import type { NodeTrace } from './node-trace.ts'

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

/** A provider that could not answer, and why. */
export interface FailedTarget {
  readonly label: string
  readonly failure: Failure
}

/** The reply when all providers have failed, one after the other; `last` is the last one. */
export function exhaustedReply(failed: readonly FailedTarget[], last: AskRefused): AskRefused {
  const attempts = failed.map(({ label, failure }) => ({ provider: label, code: codeOf(failure), detail: said(failure) }))
  const waits = failed.flatMap(({ failure }) => failure.retryAfterMs ?? [])
  return {
    ...last,
    status: 503,
    error: `all providers failed: ${attempts.map(({ provider, detail }) => `[${provider}: ${detail}]`).join(' ')}`,
    attempts,
    ...(waits.length === 0 ? {} : { retryAfterMs: Math.min(...waits) }),
  }
}

/** The reply when a store fails. */
export function unavailableReply(error: string): AskRefused {
  return { ok: false, status: 503, error, retryAfterMs: 2000 }
}

/** The reply for a provider failure. */
export function failureReply(failure: Failure): AskRefused {
  return { ok: false, status: statusOf(failure), error: said(failure), failure }
}

/** A provider failure as the audit log has it. */
export function auditedFailure(failure: Failure): { readonly code?: FailedCode; readonly detail: string; readonly kind: string } {
  const code = codeOf(failure)
  const isLeft = failure.kind === 'aborted'
  return { ...(isLeft ? {} : { code }), detail: messageOf(failure), kind: code === 'circuit_open' ? code : failure.kind }
}

/** The reply when a limit is exceeded. */
export function limitReply({ status, detail, limit }: Breach): AskRefused {
  return { ok: false, status, error: detail, limit }
}

/** The reply when the caller has left. */
export const leftReply: AskRefused = { ok: false, status: 499, error: 'the stream was abandoned before its end' }

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

/** What Node and undici call a connection that could not be made or broke; other codes are not repeated. */
const networkCodes: readonly (readonly [code: FailedCode, known: RegExp])[] = [
  ['connection_refused', /^(?:ECONNREFUSED|ConnectionRefused)$/],
  ['dns', /^(?:ENOTFOUND|EAI_[A-Z]{1,20})$/],
  ['connection_reset', /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|ConnectionClosed)$/],
  ['tls', /^(?:(?:ERR_TLS|ERR_SSL|CERT|UNABLE_TO)_[A-Z_]{1,60}|EPROTO|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/],
]

function codeOf(failure: Failure | undefined): FailedCode {
  const { kind, code = '', status } = failure ?? {}
  if (code === 'circuit_open' || code === 'busy') return code
  if (kind === 'timeout' || kind === 'deadline') return 'timeout'
  if (kind === 'connection') return networkCodes.find(([, known]) => known.test(code))?.[0] ?? 'unreachable'
  return status === undefined ? 'failed' : 'status'
}

const sentences: Readonly<Record<Exclude<FailedCode, 'status'>, string>> = {
  circuit_open: 'its circuit is open: the provider failed too often and was not called',
  busy: 'all processes of the provider are busy',
  connection_refused: 'the connection to the provider was refused',
  dns: 'the name of the provider could not be resolved (DNS)',
  connection_reset: 'the connection to the provider broke',
  tls: 'no secure connection to the provider could be made (TLS)',
  unreachable: 'the provider could not be reached',
  timeout: 'the provider did not answer in time',
  failed: 'the provider failed',
}

/** With what the provider says of the request that it rejects. */
function said(failure: Failure): string {
  const words = failure.kind === 'http' ? refusalWords(failure) : ''
  return words === '' ? messageOf(failure) : `${messageOf(failure)}: ${words}`
}

/** Without words of the provider, which may repeat the question. */
function messageOf(failure: Failure): string {
  if (failure.kind === 'aborted') return 'the question was withdrawn'
  const code = codeOf(failure)
  return code === 'status' ? `the provider answered with status ${failure.status}` : sentences[code]
}
