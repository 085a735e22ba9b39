import { Metadata, status } from '@grpc/grpc-js'
import type { AskRefused } from '@stickler/ask'
import { describeError } from '@stickler/core/internal/relay'
import { type Refusal, refusal } from '@stickler/node/internal/grpc'

/** The gRPC codes of HTTP statuses. */
const codes: ReadonlyMap<number, status> = new Map([
  [400, status.INVALID_ARGUMENT],
  [401, status.UNAUTHENTICATED],
  [403, status.PERMISSION_DENIED],
  [404, status.FAILED_PRECONDITION],
  [408, status.DEADLINE_EXCEEDED],
  [413, status.INVALID_ARGUMENT],
  [422, status.FAILED_PRECONDITION],
  [424, status.FAILED_PRECONDITION],
  [429, status.RESOURCE_EXHAUSTED],
  [499, status.CANCELLED],
  [500, status.INTERNAL],
  [504, status.DEADLINE_EXCEEDED],
])

/** Limits that are not the question's fault. */
const budgets: ReadonlySet<string | undefined> = new Set(['max_completion_tokens', 'daily_cost_cap_usd'])

/** The status of a question that brought no answer. */
export function refusedStatus({ status: http, error, limit, failure, retryAfterMs = failure?.retryAfterMs }: AskRefused): Refusal {
  if (budgets.has(limit)) return refusal(status.RESOURCE_EXHAUSTED, error)
  // The gateway's own key was rejected: a retry changes nothing.
  const isOurs = failure?.kind === 'http' && (failure.status === 401 || failure.status === 403)
  return refusal(isOurs ? status.FAILED_PRECONDITION : codeOf(http), error, waitOf(retryAfterMs))
}

/** The status for anything thrown; `unexpected` when its details belong in the log. */
export function thrownStatus(
  thrown: unknown,
  requestId: string,
): { readonly refusal: Refusal; readonly http: number; readonly unexpected: boolean } {
  const sent = describeError(thrown, requestId)
  if (sent === undefined) return { refusal: refusal(status.CANCELLED, 'the call was cancelled'), http: 499, unexpected: false }
  const { error, headers, unexpected } = sent
  const seconds = Number(headers['retry-after'])
  const wait = Number.isFinite(seconds) ? waitOf(seconds * 1000) : undefined
  return { refusal: refusal(codeOf(error.status), error.message, wait), http: error.status, unexpected }
}

function codeOf(http: number): status {
  return codes.get(http) ?? (http >= 500 ? status.UNAVAILABLE : status.INVALID_ARGUMENT)
}

/** When to retry, in the form that retrying gRPC clients read, and as in HTTP. */
function waitOf(ms: number | undefined): Metadata | undefined {
  if (ms === undefined || !Number.isFinite(ms)) return undefined
  const metadata = new Metadata()
  metadata.set('grpc-retry-pushback-ms', String(Math.max(0, Math.ceil(ms))))
  metadata.set('retry-after', String(Math.max(0, Math.ceil(ms / 1000))))
  return metadata
}
