import * as z from 'zod'
import type { Identity, Route } from '../../front/exchange.ts'
import { sendJson } from '../../front/replies/json-response.ts'
import type { RouteDescription } from '../../front/route-description.ts'
import { ownWays } from '../../records/run/run-record.ts'

/** What a page needs to know once. */
export interface MeRouteParts {
  readonly version: string
  /** Milliseconds since 1970. */
  now(): number
  keepsText(): boolean
  /** Models that clients may name. */
  models(): readonly string[]
  contractNames(): readonly string[]
  upstreamNames(): readonly string[]
  keyNames(): readonly string[]
  readonly apis: readonly { readonly name: string }[]
  /** Whether reports of evaluations can be read. */
  hasEvaluations(): boolean
}

/** Makes the route that describes the caller and what it may filter by. */
export function meRoute(parts: MeRouteParts): Route {
  return {
    method: 'GET',
    path: '/api/v1/me',
    access: 'read',
    description: meDescription,
    handler: async (exchange) => sendJson(exchange, 200, describe(exchange.identity, parts)),
  }
}

function describe({ role, key }: Identity, parts: MeRouteParts): object {
  const operates = role !== 'client'
  return {
    role,
    key,
    version: parts.version,
    now: parts.now(),
    keepText: parts.keepsText(),
    features: { labels: operates, evaluations: operates && parts.hasEvaluations() },
    models: [...new Set(parts.models())],
    apis: [...parts.apis.map(({ name }) => name), ...ownWays],
    // Clients see these names only in their own runs.
    contracts: operates ? parts.contractNames() : [],
    upstreams: operates ? parts.upstreamNames() : [],
    keys: operates ? parts.keyNames() : [],
  }
}

function meDescription(): RouteDescription {
  const names = z.array(z.string())
  const me = z.looseObject({
    role: z.enum(['client', 'operator', 'local']),
    key: z.string().describe('Name of the key; empty without keys.'),
    version: z.string(),
    now: z.number().describe('Milliseconds since 1970.'),
    keepText: z.boolean().describe('Whether texts of models are stored.'),
    features: z.looseObject({ labels: z.boolean(), evaluations: z.boolean() }),
    models: names,
    apis: names,
    contracts: names.describe('Empty for clients.'),
    upstreams: names.describe('Empty for clients.'),
    keys: names.describe('Empty for clients.'),
  })
  return {
    summary: 'Describe the caller, and the names to filter runs by.',
    group: 'Operation',
    replies: { 200: { meaning: 'The caller.', content: { 'application/json': me } } },
  }
}
