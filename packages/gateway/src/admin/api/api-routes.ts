import type { Clock, Contract, Ports } from '@stickler/core'
import type { Executor } from '@stickler/core/remote'
import type { ParserView } from '../../enforcement/parsing/circuit-changes.ts'
import type { Route } from '../../front/exchange.ts'
import type { Metrics } from '../../observe/metrics/metrics.ts'
import { metricsPage, type OtherMetrics } from '../../observe/metrics/metrics-page.ts'
import type { Recorder, RunRecord } from '../../records/run/run-record.ts'
import type { Store } from '../../records/store/store.ts'
import { checkRoute } from './check-route.ts'
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
  readonly recorder: Recorder
  readonly feed: LiveFeed
  readonly metrics: Metrics
  readonly otherMetrics: OtherMetrics | undefined
  readonly clock: Clock
  /** The APIs that are served. */
  readonly apis: readonly NamedApi[]
  today(): number
  newRunId(): string
  draining(): boolean
  models(): readonly string[]
  contracts(): ReadonlyMap<string, Contract>
  /** Judges large answers in another thread. */
  executor(): Executor
  /** The ports that validators get. */
  ports(): Ports
  /** Notes a check that uses them; the function returned is called when it is over. */
  begin(): () => void
  /** Called with every check of a given answer. */
  tell(record: RunRecord): void
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
  const { store, recorder, feed, metrics, clock, today, newRunId, draining, models, contracts, executor, configuredAt, hasMetrics, begin } =
    parts
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
    checkRoute({
      contracts,
      executor,
      begin,
      ports: () => parts.ports(),
      tell: (record) => parts.tell(record),
      recorder,
      metrics,
      clock,
      now: today,
      newId: newRunId,
    }),
    contractsRoute(contracts),
    parserRoute(() => parts.parser()),
    ...runsRoutes({ queries: store, apis: parts.apis, now: today }),
    exportRoute(store, parts.apis),
    liveRoute({ queries: store, feed }),
  ]
}
