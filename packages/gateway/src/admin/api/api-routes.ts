import type { Clock, Contract } from '@stickler/core'
import type { Route } from '../../front/exchange.ts'
import type { Metrics } from '../../observe/metrics/metrics.ts'
import { metricsPage, type OtherMetrics } from '../../observe/metrics/metrics-page.ts'
import type { Store } from '../../records/store/store.ts'
import { type CheckRouteParts, checkRoute } from '../../routes/check/check-route.ts'
import type { ParserView } from '../../services/parsing/circuit-changes.ts'
import { contractsRoute } from './contracts-route.ts'
import { exportRoute } from './export-route.ts'
import { healthRoutes, type ReadinessCheck } from './health-routes.ts'
import type { LiveFeed } from './live-feed.ts'
import { liveRoute } from './live-route.ts'
import { modelsRoutes } from './models-route.ts'
import { parserRoute } from './parser-route.ts'
import { type NamedApi, runsRoutes } from './runs-routes.ts'

/** Dependencies of the routes that call no model. */
export interface ApiParts {
  readonly store: Store
  readonly feed: LiveFeed
  readonly metrics: Metrics
  readonly otherMetrics: OtherMetrics | undefined
  readonly clock: Clock
  /** The APIs that are served. */
  readonly apis: readonly NamedApi[]
  today(): number
  draining(): boolean
  models(): readonly string[]
  contracts(): ReadonlyMap<string, Contract>
  /** What checks of given answers need. */
  readonly checks: CheckRouteParts
  /** Optional parts: without them the gateway is degraded, and still answers. */
  extras(): Readonly<Record<string, ReadinessCheck>>
  /** The parser's state for operators; undefined when no contract needs one. */
  parser(): ParserView | undefined
  configuredAt(): number
  /** Whether metrics may be read. */
  hasMetrics(): boolean
}

/** All routes that call no model. */
export function apiRoutes(parts: ApiParts): readonly Route[] {
  const { store, feed, metrics, clock, today, draining, models, contracts, configuredAt, hasMetrics } = parts
  return [
    ...healthRoutes({
      draining,
      checks: { store: async () => (await store.health()).ok },
      extras: () => parts.extras(),
      metrics: metricsPage(metrics, parts.otherMetrics),
      hasMetrics,
      clock,
    }),
    ...modelsRoutes({ models, configuredAt }),
    checkRoute(parts.checks),
    contractsRoute(contracts),
    parserRoute(() => parts.parser()),
    ...runsRoutes({ queries: store, apis: parts.apis, now: today }),
    exportRoute(store, parts.apis),
    liveRoute({ queries: store, feed }),
  ]
}
