import type { Clock } from '@stickler/core'
import { waitAtMost } from '@stickler/core/internal'
import { HttpError } from '@stickler/core/internal/apis'
import type { Exchange, Route } from '../../front/exchange.ts'
import { plainErrorBody } from '../../front/replies/error-bodies.ts'
import { sendJson, sendText } from '../../front/replies/json-response.ts'
import type { Metrics } from '../../observe/metrics/metrics.ts'
import { healthDescription, metricsDescription, readyDescription } from './operation-descriptions.ts'

/** A part that takes longer to report its state counts as unhealthy. */
const patienceMs = 1000

/** Resolves when a part works; rejects or throws when it does not. */
export type ReadinessCheck = () => boolean | Promise<boolean>

/** What the routes for probes need. */
export interface HealthRoutesParts {
  /** Whether the server is shutting down. */
  readonly draining: () => boolean
  /**
   * By name, such as `store` and `config`; not upstreams, because no other gateway would reach them
   * either.
   */
  readonly checks: Readonly<Record<string, ReadinessCheck>>
  /** By name; an unhealthy one makes the gateway degraded, and still ready. */
  readonly extras?: () => Readonly<Record<string, ReadinessCheck>>
  readonly metrics: Pick<Metrics, 'render' | 'contentType'>
  /** Whether metrics may be read; they may when absent. */
  readonly hasMetrics?: () => boolean
  readonly clock: Clock
}

/** Makes the routes for probes and for Prometheus. */
export function healthRoutes({
  draining,
  checks,
  extras = () => ({}),
  metrics,
  hasMetrics = () => true,
  clock,
}: HealthRoutesParts): readonly Route[] {
  const ready = async (exchange: Exchange): Promise<void> => {
    const [needed, others] = await Promise.all([answersOf(checks, clock), answersOf(extras(), clock)])
    const isDraining = draining()
    const isReady = !isDraining && needed.every(([, well]) => well)
    const best = others.every(([, well]) => well) ? 'ready' : 'degraded'
    const parts = Object.fromEntries([...needed, ...others].map(([name, well]) => [name, well ? 'ok' : 'failed']))
    const body = { status: isReady ? best : isDraining ? 'draining' : 'unready', checks: parts }
    sendJson(exchange, isReady ? 200 : 503, body, isReady ? {} : { 'retry-after': '1' })
  }
  return [
    {
      method: 'GET',
      path: '/healthz',
      access: 'open',
      errors: plainErrorBody,
      description: healthDescription,
      handler: async (exchange) => sendText(exchange, 200, 'ok\n'),
    },
    { method: 'GET', path: '/readyz', access: 'probe', errors: plainErrorBody, description: readyDescription, handler: ready },
    {
      method: 'GET',
      path: '/metrics',
      access: 'probe',
      errors: plainErrorBody,
      description: metricsDescription,
      handler: async (exchange) => {
        if (!hasMetrics()) throw new HttpError(404, 'Metrics are disabled.')
        sendText(exchange, 200, await metrics.render(), metrics.contentType)
      },
    },
  ]
}

async function answersOf(checks: Readonly<Record<string, ReadinessCheck>>, clock: Clock): Promise<(readonly [string, boolean])[]> {
  return Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await isWell(check, clock)] as const))
}

async function isWell(check: ReadinessCheck, clock: Clock): Promise<boolean> {
  try {
    return (await waitAtMost(Promise.resolve(check()), { clock, timeoutMs: patienceMs }, () => false)) === true
  } catch {
    return false
  }
}
