import type { Exchange } from '../../front/exchange.ts'
import type { RunFacts } from '../../records/run/run-facts.ts'
import type { ApiName } from '../../records/run/run-record.ts'

/** The caller, over any protocol. */
export interface AskCaller extends Pick<Exchange, 'requestId' | 'identity' | 'caller' | 'signal' | 'startedAt'> {
  /** The API used; `ask` when absent. */
  readonly api?: ApiName
  /** The user that the caller names, for cache and audit. */
  readonly user?: string
  /** The session that the caller names. */
  readonly session?: string
  /** The caller's headers, for its trace. */
  readonly headers?: RunFacts['headers']
  /** Where the request's outcome is noted. */
  readonly ends: Pick<Exchange, 'ending'>
}

/** The caller of an HTTP request. */
export function callerOf(exchange: Exchange): AskCaller {
  const { requestId, identity, caller, signal, startedAt, request } = exchange
  const user = request.headers['x-stickler-user']
  const named = typeof user === 'string' ? { user } : {}
  return { requestId, identity, caller, signal, startedAt, headers: request.headers, ends: exchange, ...named }
}
