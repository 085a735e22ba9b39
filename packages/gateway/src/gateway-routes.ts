import { apiRoutes } from './admin/api/api-routes.ts'
import type { ReadinessCheck } from './admin/api/health-routes.ts'
import type { LiveFeed } from './admin/api/live-feed.ts'
import { withOpenApi } from './admin/openapi/openapi-document.ts'
import { pageRoutes } from './admin/page/page-routes.ts'
import { askRoute } from './apis/ask/ask-route.ts'
import type { AskTargets } from './apis/ask/ask-settings.ts'
import type { RouteDependencies } from './apis/dependencies.ts'
import { modelRoute } from './apis/model-route.ts'
import { passingRoutes } from './apis/passing/passing-routes.ts'
import type { Api } from './apis/shared/api.ts'
import type { Route } from './front/exchange.ts'
import type { House } from './house.ts'
import type { OtherMetrics } from './observe/metrics/metrics-page.ts'
import type { Snapshot } from './snapshot.ts'

/** What is shown beside what the house itself knows. */
export interface EntranceParts {
  /** The APIs of models. */
  readonly apis: readonly Api[]
  readonly feed: LiveFeed
  readonly otherMetrics: OtherMetrics | undefined
  /** Since when the configuration in effect holds. */
  configuredAt(): number
}

/** What the routes of a gateway are made with. */
export interface GatewayRoutesParts extends EntranceParts {
  readonly house: House
  readonly dependencies: RouteDependencies
  asking(): AskTargets | undefined
  draining(): boolean
}

/** Every way in: the APIs of models, what is passed on, questions, the dashboard, operation, and their description. */
export function gatewayRoutes({ house, dependencies, asking, ...parts }: GatewayRoutesParts): readonly Route[] {
  const { live, records, metrics, lines, changes, snapshots } = house
  const snapshot = () => snapshots.current
  return withOpenApi([
    ...parts.apis.map((api) => modelRoute(api, dependencies)),
    ...passingRoutes(dependencies),
    askRoute(dependencies, asking),
    ...pageRoutes(),
    ...apiRoutes({
      ...parts,
      ...records,
      metrics,
      clock: house.clock,
      today: house.today,
      newRunId: dependencies.newRunId,
      models: () => snapshot().routes.models,
      contracts: () => live.current().contracts,
      executor: () => snapshot().checking.executor,
      ports: () => snapshot().checking.ports,
      tell: (record) => lines.parser(record),
      extras: () => extrasOf(snapshot()),
      parser: () => (snapshot().parserChecks.size === 0 ? undefined : changes.viewOf(snapshot().parsing)),
      hasMetrics: () => live.current().metrics.enabled,
    }),
  ])
}

/** What makes the gateway degraded when it is not well: nobody waits for a parser that no contract needs, or that is switched off. */
function extrasOf({ parsing, parserChecks, retrieving, ruling }: Snapshot): Readonly<Record<string, ReadinessCheck>> {
  return {
    ...(parserChecks.size === 0 || parsing.settings.kind === 'disabled' ? {} : { parser: () => parsing.ready() }),
    ...(retrieving === undefined ? {} : { retrieval: () => retrieving.ready() }),
    ...(ruling.rules.length === 0 ? {} : { rules: () => ruling.ready() }),
  }
}
