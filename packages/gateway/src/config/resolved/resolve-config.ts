import { dirname, resolve } from 'node:path'
import { parseTtl } from '@stickler/ask/config'
import { parserSettings } from '@stickler/parser/config'
import { createKeyring } from '../../front/access/keys.ts'
import type { UpstreamConfig } from '../../upstreams/kinds/upstream-kind.ts'
import { defined } from '../../upstreams/settings/defined.ts'
import type { Environment } from '../../upstreams/settings/environment.ts'
import { fromEnvironment } from '../../upstreams/settings/environment.ts'
import { withSecrets } from '../../upstreams/settings/hide-secrets.ts'
import { gatewayVariables } from '../reading/gateway-variables.ts'
import type { ConfigFile, ConfigSurroundings } from '../reading/read-config-file.ts'
import { usualKeys, usualOperatorKeys } from '../reading/usual-variables.ts'
import type { ConfigValue } from '../schema/config-schema.ts'
import type { WrittenRoute } from '../schema/route-schema.ts'
import type { AskConfig, GatewayConfig, JudgingConfig, RouteConfig, RouteTarget, ServerConfig, UnsetKey } from './gateway-config.ts'
import { resolveGrpc } from './grpc-config.ts'
import { outsideRules, resolveRules, secretVariables } from './outside-rules.ts'
import { resolveRetrieval } from './resolve-retrieval.ts'
import { writtenStore } from './resolve-store.ts'
import { resolveUpstream } from './resolve-upstream.ts'

/** Fills in all defaults of a valid configuration, and secrets from the environment. */
export async function resolveConfig(
  { value, contracts, plugins, positionOf }: ConfigFile,
  file: string,
  { env, cwd, kinds }: Pick<ConfigSurroundings, 'env' | 'cwd' | 'kinds'>,
): Promise<GatewayConfig> {
  const folder = dirname(resolve(cwd, file))
  const withhold = [...gatewayVariables(value), ...secretVariables(outsideRules(contracts))]
  const upstreams = await Promise.all(value.upstreams.map((written) => resolveUpstream(written, { env, withhold }, kinds)))
  const store = writtenStore(value.store, { env, folder })
  return {
    file,
    positionOf,
    server: resolveServer(value, env),
    store,
    upstreams,
    unsetKeys: unsetKeysOf(value, env),
    contracts,
    plugins: plugins.loaded,
    routes: value.routes.map((route) => resolveRoute(route, upstreams, folder, contracts)),
    ...(value.retrieval === undefined ? {} : { retrieval: resolveRetrieval(value.retrieval, { env, folder, store, upstreams }) }),
    ...(value.ask === undefined ? {} : { ask: resolveAsk(value.ask) }),
    ...(value.grpc === undefined ? {} : { grpc: resolveGrpc(value.grpc, folder) }),
    parser: parserSettings(value.parser, { env, folder }),
    rules: resolveRules(contracts, folder, env),
    log: value.log,
    metrics: value.metrics,
  }
}

/** The variables for keys that are not set. */
function unsetKeysOf({ upstreams, retrieval }: Pick<ConfigValue, 'upstreams' | 'retrieval'>, env: Environment): UnsetKey[] {
  const embeddings = typeof retrieval?.embeddings === 'object' ? retrieval.embeddings.apiKeyEnv : undefined
  const named = [...upstreams.map(({ name, apiKeyEnv }) => [`upstream ${name}`, apiKeyEnv] as const), ['embeddings', embeddings] as const]
  return named.flatMap(([of, variable]) =>
    variable === undefined || fromEnvironment(env, variable) !== undefined ? [] : [{ of, variable }],
  )
}

function resolveServer({ server: written, limits }: Pick<ConfigValue, 'server' | 'limits'>, env: Environment): ServerConfig {
  const { heartbeat, shutdownGrace, deadline, keysEnv, operatorKeysEnv, admin, perKey, judging, ...rest } = written
  const keys = fromEnvironment(env, keysEnv ?? usualKeys) ?? ''
  const operatorKeys = fromEnvironment(env, operatorKeysEnv ?? usualOperatorKeys) ?? ''
  const keyCount = createKeyring({ clients: keys }, () => 0).size
  return withSecrets(
    {
      ...rest,
      perKey: { ...defined(perKey), ...defined(limits.perKey) },
      judging: resolveJudging(judging),
      heartbeatMs: heartbeat * 1000,
      shutdownGraceMs: shutdownGrace * 1000,
      deadlineMs: deadline * 1000,
      keyCount,
      operatorKeyCount: createKeyring({ clients: keys, operators: operatorKeys }, () => 0).size - keyCount,
      ...(admin === undefined ? {} : { admin }),
      ...(keysEnv === undefined || keyCount > 0 ? {} : { emptyKeysEnv: keysEnv }),
    },
    { keys, operatorKeys },
  )
}

function resolveJudging({ deadline, memory, ...rest }: ConfigValue['server']['judging']): JudgingConfig {
  return { ...defined(rest), deadlineMs: deadline * 1000, memoryMb: memory }
}

/** The default where no preset declares less: agents send long conversations. */
const usualMessages = { count: 2000, characters: 1_000_000 }

function resolveRoute(
  written: WrittenRoute,
  upstreams: readonly UpstreamConfig[],
  folder: string,
  contracts: GatewayConfig['contracts'],
): RouteConfig {
  const { model, errorsAs, refusalStatus, exemptTasks, exemptApis, messages, contract, pipeline, root, fallback, upstream, upstreamModel } =
    written
  const target = (name: string, chosen: string | undefined): RouteTarget => {
    const asked = chosen ?? upstreams.find((one) => one.name === name)?.model
    return { upstream: name, ...(asked === undefined ? {} : { model: asked }) }
  }
  return {
    model,
    targets: [
      target(upstream, upstreamModel),
      ...fallback.map((next) => (typeof next === 'string' ? target(next, undefined) : target(next.upstream, next.model))),
    ],
    errorsAs,
    exemptTasks,
    exemptApis,
    messages: {
      ...usualMessages,
      ...(contract === undefined ? undefined : contracts.get(contract)?.declared?.messages),
      ...defined(messages),
    },
    ...defined({ contract, pipeline, refusalStatus }),
    ...(root === undefined ? {} : { root: resolve(folder, root) }),
  }
}

function resolveAsk({ upstreams, pipeline, cache, limits, audit }: NonNullable<ConfigValue['ask']>): AskConfig {
  const ttl = parseTtl(cache.ttl)
  return {
    upstreams,
    ...defined({ pipeline }),
    cache: { enabled: cache.enabled, ttlSeconds: 'seconds' in ttl ? ttl.seconds : 0, maxEntries: cache.maxEntries },
    limits: defined(limits),
    audit,
  }
}
