import { type Clock, type Contract, instructions } from '@stickler/core'
import type { Executor } from '@stickler/core/internal'
import { unknownName } from '@stickler/core/internal'
import { HttpError } from '@stickler/core/internal/apis'
import type { Route } from '../../front/exchange.ts'
import { sendJson } from '../../front/replies/json-response.ts'
import type { Metrics } from '../../observe/metrics/metrics.ts'
import { metricsPage, type OtherMetrics } from '../../observe/metrics/metrics-page.ts'
import type { Store } from '../../records/store/store.ts'
import { isPattern } from '../../requests/model-patterns.ts'
import type { Contracts } from '../../routes/check/check-contracts.ts'
import { type CheckRouteParts, checkRoute } from '../../routes/check/check-route.ts'
import { guardrailRoutes } from '../../routes/guardrails/guardrail-routes.ts'
import type { ParserView } from '../../services/parsing/circuit-changes.ts'
import { evaluationRoutes } from './evaluation-routes.ts'
import { exportRoutes } from './export-route.ts'
import { type GatewayRouteParts, gatewayRoute } from './gateway-route.ts'
import { healthRoutes, type ReadinessCheck } from './health-routes.ts'
import { labelRoutes } from './label-routes.ts'
import type { LiveFeed } from './live-feed.ts'
import { liveRoute } from './live-route.ts'
import { type MeRouteParts, meRoute } from './me-route.ts'
import { contractsDescription, modelDescription, modelsDescription, parserDescription } from './operation-descriptions.ts'
import { present } from './query-reader.ts'
import { runsRoutes } from './runs-routes.ts'
import { tryRoute } from './try-route.ts'

/** Dependencies of the routes that call no model. */
interface ApiParts
  extends Omit<MeRouteParts, 'now' | 'contractNames' | 'hasEvaluations'>,
    Omit<GatewayRouteParts, 'spent' | 'health' | 'parser'> {
  readonly store: Store
  readonly feed: LiveFeed
  readonly metrics: Metrics
  readonly otherMetrics: OtherMetrics | undefined
  readonly clock: Clock
  today(): number
  draining(): boolean
  contracts(): ReadonlyMap<string, Contract>
  /** A contract as YAML, without secrets; undefined where it is not from a file. */
  writtenContract(name: string): string | undefined
  /** What checks of given answers need. */
  readonly checks: CheckRouteParts
  /** Judges answers by contracts that are being written. */
  trialExecutor(): Executor
  /** Optional parts: without them the gateway is degraded, and still answers. */
  extras(): Readonly<Record<string, ReadinessCheck>>
  /** The parser's state for operators; undefined when no contract needs one. */
  parser(): ParserView | undefined
  configuredAt(): number
  /** The folder with reports of evaluations; undefined where there is none. */
  evaluations(): string | undefined
  /** Whether metrics may be read. */
  hasMetrics(): boolean
}

/** All routes that call no model. */
export function apiRoutes(parts: ApiParts): readonly Route[] {
  const { store, feed, metrics, clock, today, draining, models, contracts, configuredAt, hasMetrics } = parts
  const filtering = { apis: parts.apis, keepsText: () => parts.keepsText() }
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
    ...guardrailRoutes(parts.checks),
    contractsRoute(contracts, (name) => parts.writtenContract(name)),
    tryRoute({ checks: { ...parts.checks, executor: () => parts.trialExecutor() }, queries: store }),
    parserRoute(() => parts.parser()),
    meRoute({
      ...parts,
      now: today,
      contractNames: () => [...contracts().keys()],
      hasEvaluations: () => parts.evaluations() !== undefined,
    }),
    gatewayRoute({ ...parts, spent: (day) => store.spent(day), health: () => store.health() }),
    ...runsRoutes({ ...filtering, queries: store, now: today }),
    ...exportRoutes(store, filtering),
    ...labelRoutes(store.labels),
    ...evaluationRoutes(() => parts.evaluations(), today),
    liveRoute({ ...filtering, queries: store, feed }),
  ]
}

/** Makes the route that shows the parser; `parser` is null when no contract needs one. */
function parserRoute(view: () => ParserView | undefined): Route {
  return {
    method: 'GET',
    path: '/api/v1/parser',
    access: 'operate',
    description: parserDescription,
    handler: async (exchange) => sendJson(exchange, 200, { parser: view() ?? null }),
  }
}

/** Makes the route that describes each contract. */
export function contractsRoute(contracts: Contracts, written: (name: string) => string | undefined = () => undefined): Route {
  return {
    method: 'GET',
    path: '/api/v1/contracts',
    access: 'operate',
    description: contractsDescription,
    handler: async (exchange) =>
      sendJson(exchange, 200, {
        items: [...contracts()].map(([name, contract]) => ({ ...describe(name, contract), ...present({ yaml: written(name) }) })),
      }),
  }
}

function describe(name: string, contract: Contract): Readonly<Record<string, unknown>> {
  return {
    name,
    validators: contract.validators.map(({ name: validator, definition, options, prepared, instruction, severity, when }) => ({
      name: validator,
      summary: definition.summary,
      options,
      codes: definition.codes,
      repairs: prepared.repair !== undefined,
      incremental: prepared.incremental !== undefined,
      instruction,
      ...(severity && { severity }),
      ...(when && { when }),
    })),
    policy: contract.policy,
    instructions: instructions(contract),
  }
}

/** What the routes for models need. */
interface ModelsRoutesParts {
  /** The models that clients may name, from the current configuration. */
  readonly models: () => readonly string[]
  /** When the configuration was read, in milliseconds since 1970. */
  readonly configuredAt: () => number
}

/** Makes the routes that list models in OpenAI's format; upstreams are never exposed. */
export function modelsRoutes({ models, configuredAt }: ModelsRoutesParts): readonly Route[] {
  const describe = (id: string) => ({ id, object: 'model', created: Math.floor(configuredAt() / 1000), owned_by: 'stickler' })
  // A pattern matches models, and is not one itself.
  const named = (): readonly string[] => [...new Set(models())].filter((model) => !isPattern(model))
  return [
    {
      method: 'GET',
      path: '/v1/models',
      access: 'read',
      description: modelsDescription,
      handler: async (exchange) => sendJson(exchange, 200, { object: 'list', data: named().map(describe) }),
    },
    {
      method: 'GET',
      path: '/v1/models/:id',
      access: 'read',
      description: modelDescription,
      handler: async (exchange) => {
        const { id = '' } = exchange.params
        const known = named()
        if (!known.includes(id)) throw new HttpError(404, unknownName('model', id, known), { param: 'model', code: 'model_not_found' })
        sendJson(exchange, 200, describe(id))
      },
    },
  ]
}
