import * as z from 'zod'
import type { Route } from '../../front/exchange.ts'
import { sendJson } from '../../front/replies/json-response.ts'
import type { RouteDescription } from '../../front/route-description.ts'
import type { UpstreamState } from '../../observe/upstream-watch.ts'
import { askStore } from '../../records/store/ask-store.ts'
import type { DayState } from '../../records/store/budgets/budget-ledger.ts'
import type { StoreHealth } from '../../records/store/store.ts'

/** An upstream as it is configured, without addresses and secrets. */
export interface ShownUpstream {
  readonly name: string
  readonly kind: string
  readonly provider: string
  /** The models that routes send to it. */
  readonly models: readonly string[]
}

/** What keys may use; unlimited where not set. */
interface ShownLimits {
  readonly requestsPerMinute?: number | undefined
  readonly tokensPerDay?: number | undefined
  readonly usdPerDay?: number | undefined
}

/** What the route for the state of the gateway needs. */
export interface GatewayRouteParts {
  readonly version: string
  /** Milliseconds since 1970. */
  today(): number
  readonly startedAt: number
  configuredAt(): number
  upstreams(): readonly ShownUpstream[]
  upstreamState(name: string): UpstreamState
  keyNames(): readonly string[]
  limits(): ShownLimits
  /** What keys have used on a day since 1970. */
  spent(day: number): Promise<ReadonlyMap<string, DayState>>
  health(): Promise<StoreHealth>
  parser(): unknown
}

const dayMs = 86_400_000
const none: DayState = { spent: { tokens: 0, nanoUsd: 0 }, held: { tokens: 0, nanoUsd: 0 } }

/** Makes the route that shows the state of the gateway: upstreams, budgets of keys, and the store. */
export function gatewayRoute(parts: GatewayRouteParts): Route {
  return {
    method: 'GET',
    path: '/api/v1/gateway',
    access: 'operate',
    description: gatewayDescription,
    async handler(exchange) {
      const now = parts.today()
      const day = Math.floor(now / dayMs)
      // A broken store is what operators want to see, so it is no reason to show nothing.
      const spent = await parts.spent(day).catch(() => undefined)
      sendJson(exchange, 200, {
        version: parts.version,
        now,
        uptimeMs: Math.max(0, now - parts.startedAt),
        configuredAt: parts.configuredAt(),
        upstreams: parts.upstreams().map((upstream) => ({ ...upstream, ...parts.upstreamState(upstream.name) })),
        keys: parts.keyNames().map((name) => keyState(name, parts.limits(), spent?.get(name) ?? none, (day + 1) * dayMs)),
        store: await askStore(parts.health()),
        parser: parts.parser() ?? null,
      })
    },
  }
}

function keyState(
  name: string,
  { requestsPerMinute, tokensPerDay, usdPerDay }: ShownLimits,
  { spent, held }: DayState,
  resetsAt: number,
): object {
  const hasBudget = tokensPerDay !== undefined || usdPerDay !== undefined
  const budget = {
    period: 'day',
    ...(tokensPerDay === undefined ? {} : { limitTokens: tokensPerDay }),
    ...(usdPerDay === undefined ? {} : { limitUsd: usdPerDay }),
    usedTokens: spent.tokens,
    usedUsd: spent.nanoUsd / 1e9,
    heldTokens: held.tokens,
    heldUsd: held.nanoUsd / 1e9,
    resetsAt,
  }
  return { name, ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }), budgets: hasBudget ? [budget] : [] }
}

function gatewayDescription(): RouteDescription {
  const upstream = z.looseObject({
    name: z.string(),
    kind: z.string(),
    provider: z.string(),
    models: z.array(z.string()),
    breaker: z.string().describe('`closed`, `open` or `half-open`.'),
    breakerAt: z.number().optional(),
    calls: z.int().describe('Calls of this gateway in the last quarter to half hour.'),
    errors: z.int(),
    p50Ms: z.number().optional(),
    p95Ms: z.number().optional(),
    lastError: z.looseObject({ at: z.number(), kind: z.string(), status: z.int().optional() }).optional(),
  })
  const budget = z.looseObject({
    period: z.literal('day'),
    limitTokens: z.number().optional(),
    limitUsd: z.number().optional(),
    usedTokens: z.number(),
    usedUsd: z.number(),
    heldTokens: z.number().describe('Reserved for running requests.'),
    heldUsd: z.number(),
    resetsAt: z.number(),
  })
  const key = z.looseObject({ name: z.string(), requestsPerMinute: z.number().optional(), budgets: z.array(budget) })
  const state = z.looseObject({
    version: z.string(),
    now: z.number(),
    uptimeMs: z.number(),
    configuredAt: z.number(),
    upstreams: z.array(upstream),
    keys: z.array(key),
    store: z.looseObject({
      ok: z.boolean(),
      engine: z.string(),
      database: z.looseObject({}),
      journal: z.looseObject({}),
      counters: z.looseObject({}),
    }),
    parser: z.looseObject({}).nullable(),
  })
  return {
    summary: 'Show the state of upstreams, budgets and the store.',
    group: 'Operation',
    replies: { 200: { meaning: 'The state of this gateway.', content: { 'application/json': state } } },
  }
}
