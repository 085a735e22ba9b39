import type { Exchange } from '../../front/exchange.ts'
import type { RunFacts } from '../../records/run/run-facts.ts'
import type { ApiName } from '../../records/run/run-record.ts'

/** Who asks, by whatever protocol. */
export interface AskCaller extends Pick<Exchange, 'requestId' | 'identity' | 'signal' | 'startedAt'> {
  /** The way in; `ask` when absent. */
  readonly api?: ApiName
  /** The user that the caller names, for cache and audit. */
  readonly user?: string
  /** The session that the caller names. */
  readonly session?: string
  /** What the caller sent along, for its trace. */
  readonly headers?: RunFacts['headers']
  /** Where it is noted how the request ends. */
  readonly ends: Pick<Exchange, 'ending'>
}

/** The caller of an HTTP request. */
export function callerOf(exchange: Exchange): AskCaller {
  const { requestId, identity, signal, startedAt, request } = exchange
  const user = request.headers['x-stickler-user']
  return { requestId, identity, signal, startedAt, headers: request.headers, ends: exchange, ...(typeof user === 'string' ? { user } : {}) }
}
