import type { IncomingMessage } from 'node:http'
import type { AnsweredRequest } from '../front/dispatcher.ts'
import type { Exchange, Identity } from '../front/exchange.ts'
import type { Logger } from '../front/log.ts'
import type { RequestCount } from '../front/request-count.ts'
import type { Mutable } from '../mutable.ts'
import type { MetricsSink } from './metrics/metrics-sink.ts'

/** The dependencies of the request listener. */
export interface RequestListenerParts {
  readonly metrics: Pick<MetricsSink, 'request'>
  readonly log: Logger
  /** The API that is served on a path. */
  apiOf(route: string): string | undefined
  /** The client's address, behind currently trusted proxies. */
  addressOf(request: IncomingMessage): string
}

/** Makes the listener that counts each finished request, and logs it if enabled. */
export function requestListener({
  metrics,
  log,
  apiOf,
  addressOf,
}: RequestListenerParts): (exchange: Exchange, answered: AnsweredRequest) => void {
  return (exchange, { route, status, ms, aborted }) => {
    const count: Mutable<RequestCount> = { api: apiOf(route) ?? '', status }
    if (exchange.ending !== undefined) count.contract = exchange.ending.contract
    if (aborted) count.outcome = 'error'
    else if (exchange.ending !== undefined) count.outcome = exchange.ending.outcome
    metrics.request(count)
    if (!log.isLevelEnabled('debug')) return
    const event = aborted ? 'aborted' : 'answered'
    const client = addressOf(exchange.request)
    const about = { requestId: exchange.requestId, ...askerOf(exchange.identity), client }
    log.debug({ ...about, route, status, ms: Math.round(ms), event }, 'request')
  }
}

/**
 * The caller for log lines: the name of the key and its role, never the key; undefined until a key
 * was accepted.
 */
function askerOf({ key, role }: Identity): { readonly key?: string; readonly role?: string } {
  if (key !== '') return { key, role }
  return role === 'local' ? { role } : {}
}
