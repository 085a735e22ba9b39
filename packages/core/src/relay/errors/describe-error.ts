import type { ClientError } from '../../apis/shared/client-error.ts'
import { HttpError } from '../../apis/shared/http-error.ts'
import { isVerdict } from '../../apis/shared/verdict-names.ts'
import { RunnerFailure } from '../../engine/runner-failure.ts'
import { isRefusal, upstreamIdentity, upstreamWords } from './provider-error-names.ts'

/** An error as it is sent. */
export interface SentError {
  readonly error: ClientError
  readonly headers: Readonly<Record<string, string>>
  /** Whether it was unexpected, so that its details belong in the log. */
  readonly unexpected: boolean
}

const types: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [408, 'timeout_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [503, 'overloaded_error'],
  [504, 'timeout_error'],
])

const circuitOpen = 'The upstream failed too often and is not called for a while; nothing was sent to it.'

const broke = 'The connection to the upstream broke before the answer was complete.'

/** The client error for anything thrown; undefined when the client has disconnected. */
export function describeError(thrown: unknown, requestId: string): SentError | undefined {
  if (thrown instanceof HttpError) {
    const { type, param, code, headers, body, provider } = thrown.details
    const error = clientError(thrown.status, thrown.message, code ?? null, type)
    return sent({ ...error, param: param ?? null, body: body ?? {}, ...(provider && { provider }) }, headers)
  }
  if (thrown instanceof RunnerFailure) return describeFailure(thrown)
  // Its message may name paths, packages or secrets.
  const error = clientError(500, `Internal error in the gateway; the request id is ${requestId}.`, 'internal_error')
  return { ...sent(error), unexpected: true }
}

function describeFailure({ kind, details }: RunnerFailure): SentError | undefined {
  const { retryAfterMs, headers } = details
  const wait: Readonly<Record<string, string>> = {
    ...headers,
    ...(retryAfterMs === undefined ? {} : { 'retry-after': seconds(retryAfterMs) }),
  }
  switch (kind) {
    case 'aborted':
      return undefined
    case 'http':
      if (details.code === 'circuit_open') return sent(clientError(503, circuitOpen, 'upstream_circuit_open'), wait)
      return sent(upstreamStatus(details.status ?? 0, details.body ?? ''), wait)
    case 'timeout':
      return sent(clientError(504, 'The upstream did not answer in time.', 'upstream_timeout'), wait)
    case 'deadline':
      return sent(clientError(504, 'No valid answer came before the deadline.', 'deadline_exceeded'), wait)
    case 'connection':
      return sent(clientError(502, details.isMidway ? broke : 'The upstream cannot be reached.', 'upstream_unreachable'), wait)
    case 'empty':
      return sent(clientError(502, 'The upstream sent an empty answer.', 'upstream_empty'), wait)
    case 'protocol':
      return sent(inItsWords(clientError(502, 'The upstream sent a malformed answer.', 'upstream_protocol'), details.body ?? ''), wait)
    case 'exit':
    case 'crash':
      return { ...sent(clientError(502, 'The upstream failed.', 'upstream_failed'), wait), unexpected: true }
  }
}

/**
 * Client errors and overload pass through; the gateway's own mistakes towards the upstream are a
 * bad gateway.
 */
function upstreamStatus(status: number, body: string): ClientError {
  if (status === 429) return inItsWords(clientError(429, 'The upstream asks for fewer requests.', 'upstream_rate_limit'), body)
  if (status >= 500 && status <= 599)
    return ofServer(clientError(status, `The upstream answered with status ${status}.`, 'upstream_error'), body)
  if (status === 408) return clientError(504, 'The upstream did not answer in time.', 'upstream_timeout')
  if (status === 401 || status === 403) return clientError(502, "The upstream did not accept the gateway's key.", 'upstream_auth')
  if (isRefusal(status))
    return inItsWords(clientError(status, `The upstream refused the request with status ${status}.`, 'upstream_refused'), body)
  return clientError(502, `The upstream answered with the unexpected status ${status}.`, 'upstream_error')
}

/**
 * An error that a server names was written for clients; any other may expose the server's
 * internals.
 */
function ofServer(error: ClientError, body: string): ClientError {
  const { type, code } = upstreamIdentity(body)
  return type === undefined && code === undefined ? named(error, body) : inItsWords(error, body)
}

/**
 * Keeps the identity of a provider's error, because agents act on it; one that names its type has
 * no code but its own.
 */
function named(error: ClientError, body: string): ClientError {
  const { requestId, isMessages, ...names } = upstreamIdentity(body)
  const provider = { ...(isMessages && { isMessages }), ...(requestId !== undefined && { requestId }) }
  return { ...error, ...(names.type !== undefined && { code: null }), ...names, provider }
}

/** Keeps its message too, if it is about the request. */
function inItsWords(error: ClientError, body: string): ClientError {
  const words = upstreamWords(body)
  return named(words === '' ? error : { ...error, message: words }, body)
}

function clientError(status: number, message: string, code: string | null, type?: string): ClientError {
  return {
    status,
    message,
    type: type ?? types.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error'),
    param: null,
    code,
    body: {},
  }
}

function sent(error: ClientError, headers: Readonly<Record<string, string>> = {}): SentError {
  // Official clients would retry the same request, which cannot help here.
  const advice: Record<string, string> = error.status === 422 || isVerdict(error.type) ? { 'x-should-retry': 'false' } : {}
  return { error, headers: { ...advice, ...headers }, unexpected: false }
}

function seconds(ms: number): string {
  return String(Math.max(0, Math.ceil(ms / 1000)))
}
