import { join } from 'node:path'
import type { Api } from '@stickler/core/internal/apis'
import { writeYaml } from '@stickler/core/internal/yaml'
import { apiRoutes } from './admin/api/api-routes.ts'
import type { ShownUpstream } from './admin/api/gateway-route.ts'
import type { ReadinessCheck } from './admin/api/health-routes.ts'
import type { LiveFeed } from './admin/api/live-feed.ts'
import { dashboardRoutes } from './admin/dashboard/dashboard-routes.ts'
import { packageVersion, withOpenApi } from './admin/openapi/openapi-document.ts'
import type { GatewayConfig } from './config/resolved/gateway-config.ts'
import { keyNames } from './front/access/keys.ts'
import type { Route } from './front/exchange.ts'
import type { GatewayParts } from './gateway-parts.ts'
import type { OtherMetrics } from './observe/metrics/metrics-page.ts'
import { liveMask } from './records/masking/redact.ts'
import type { RouteDependencies } from './requests/request-ports.ts'
import { askRoute } from './routes/ask/ask-route.ts'
import type { AskTargets } from './routes/ask/ask-targets.ts'
import { modelRoute } from './routes/models/model-route.ts'
import { passthroughRoutes } from './routes/passthrough/passthrough-routes.ts'
import type { Snapshot } from './snapshot.ts'

/** What the routes need besides the gateway's own parts. */
export interface ListenerParts {
  /** The APIs of models. */
  readonly apis: readonly Api[]
  readonly feed: LiveFeed
  readonly otherMetrics: OtherMetrics | undefined
  /** When the current configuration took effect. */
  configuredAt(): number
}

/** The dependencies of the gateway's routes. */
interface GatewayRoutesParts extends ListenerParts {
  readonly opened: GatewayParts
  readonly dependencies: RouteDependencies
  asking(): AskTargets | undefined
  draining(): boolean
}

/**
 * All routes: the model APIs, pass-through, questions, the dashboard, operations, and their
 * description.
 */
export function gatewayRoutes({ opened, dependencies, asking, ...parts }: GatewayRoutesParts): readonly Route[] {
  const { live, records, metrics, lines, changes, snapshots } = opened
  const snapshot = () => snapshots.current
  const maskSecrets = liveMask(opened.secrets.current)
  return withOpenApi([
    ...parts.apis.map((api) => modelRoute(api, dependencies)),
    ...passthroughRoutes(dependencies),
    askRoute(dependencies, asking),
    ...dashboardRoutes(),
    ...apiRoutes({
      ...parts,
      ...records,
      metrics,
      clock: opened.clock,
      today: opened.today,
      models: () => snapshot().routes.models,
      contracts: () => live.current().contracts,
      checks: {
        ...dependencies,
        contracts: () => live.current().contracts,
        executor: () => snapshot().checking.executor,
        ports: () => snapshot().checking.ports,
        use: () => snapshot().use.begin(),
        observe(record) {
          metrics.run(record)
          lines.parser(record)
        },
      },
      trialExecutor: () => snapshot().checking.trialExecutor,
      extras: () => extrasOf(snapshot()),
      parser: () => (snapshot().parserChecks.size === 0 ? undefined : changes.viewOf(snapshot().parsing)),
      version: packageVersion(),
      upstreamNames: () => live.current().upstreams.map(({ name }) => name),
      // Without keys, callers may still be named.
      keyNames: () => keyNames(live.current().server.keys || (live.current().server.callerNames ?? '')),
      upstreams: () => shownUpstreams(live.current()),
      upstreamState: (name) => opened.upstreams.state(name),
      limits: () => live.current().server.perKey,
      startedAt: opened.startedAt,
      writtenContract(name) {
        const written = live.current().writtenContracts?.[name]
        return written === undefined ? undefined : maskSecrets(writeYaml(written))
      },
      // A store in memory has no folder.
      evaluations: () => (live.current().store.url.includes(':memory:') ? undefined : join(live.current().store.folder, 'evaluations')),
      keepsText: () => live.current().store.keepText,
      hasMetrics: () => live.current().metrics.enabled,
    }),
  ])
}

/** Upstreams without what could be a secret, each with the models that routes send to it. */
function shownUpstreams({ upstreams, routes }: GatewayConfig): readonly ShownUpstream[] {
  return upstreams.map(({ name, kind, provider, model }) => {
    const sent = routes.flatMap((route) =>
      route.targets.flatMap((target) => (target.upstream === name ? [target.model ?? model ?? route.model] : [])),
    )
    return { name, kind, provider, models: [...new Set(sent)] }
  })
}

/**
 * Parts that make the gateway degraded: not a parser that no contract needs, or that is disabled.
 */
function extrasOf({ parsing, parserChecks, retrieving, ruleClient }: Snapshot): Readonly<Record<string, ReadinessCheck>> {
  return {
    ...(parserChecks.size === 0 || parsing.settings.kind === 'disabled' ? {} : { parser: () => parsing.ready() }),
    ...(retrieving === undefined ? {} : { retrieval: () => retrieving.ready() }),
    ...(ruleClient.rules.length === 0 ? {} : { rules: () => ruleClient.ready() }),
  }
}
