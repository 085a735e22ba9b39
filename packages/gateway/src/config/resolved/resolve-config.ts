import { dirname, resolve } from 'node:path'
import { parserSettings } from '@stickler/parser/internal/config'
import { createKeyring } from '../../front/access/keys.ts'
import type { UpstreamConfig } from '../../upstreams/kinds/upstream-kind.ts'
import { defined } from '../../upstreams/settings/defined.ts'
import { type Environment, fromEnvironment } from '../../upstreams/settings/environment.ts'
import { withSecrets } from '../../upstreams/settings/hidden-fields.ts'
import { gatewayVariables, unsetKeys, usualKeys, usualOperatorKeys } from '../reading/environment-needs.ts'
import type { ConfigFile, ConfigSurroundings } from '../reading/read-config-file.ts'
import type { ConfigValue } from '../schema/config-schema.ts'
import type { GatewayConfig, GrpcConfig, RouteConfig, RouteTarget, ServerConfig } from './gateway-config.ts'
import { outsideRules, resolveRules, secretVariables } from './outside-rules.ts'
import { resolveRetrieval } from './resolve-retrieval.ts'
import { writtenStore } from './resolve-store.ts'
import { resolveUpstream } from './resolve-upstream.ts'

/** Adds to a valid configuration what the schema alone cannot know: full paths, secrets from the environment, and what one section takes from another. */
export async function resolveConfig(
  { value, contracts, plugins, positionOf }: ConfigFile,
  file: string,
  { env, cwd, kinds }: Pick<ConfigSurroundings, 'env' | 'cwd' | 'kinds'>,
): Promise<GatewayConfig> {
  const folder = dirname(resolve(cwd, file))
  const withhold = [...gatewayVariables(value, kinds), ...secretVariables(outsideRules(contracts))]
  const upstreams = await Promise.all(value.upstreams.map((written) => resolveUpstream(written, { env, withhold }, kinds)))
  const store = writtenStore(value.store, { env, folder })
  const { limits: _limits, retrieval, grpc, ...rest } = value
  return {
    ...rest,
    file,
    positionOf,
    server: resolveServer(value, env),
    store,
    upstreams,
    unsetKeys: unsetKeys(value, env, kinds),
    contracts,
    writtenContracts: value.contracts,
    plugins: plugins.loaded,
    routes: value.routes.map((route) => resolveRoute(route, upstreams, folder, contracts)),
    ...(retrieval === undefined ? {} : { retrieval: resolveRetrieval(retrieval, { env, folder, store, upstreams }) }),
    ...(grpc === undefined ? {} : { grpc: resolveGrpc(grpc, folder) }),
    parser: parserSettings(value.parser, { env, folder }),
    rules: resolveRules(contracts, folder, env),
  }
}

function resolveServer({ server: written, limits }: Pick<ConfigValue, 'server' | 'limits'>, env: Environment): ServerConfig {
  const { keysEnv, operatorKeysEnv, perKey, ...rest } = written
  const keys = fromEnvironment(env, keysEnv ?? usualKeys) ?? ''
  const operatorKeys = fromEnvironment(env, operatorKeysEnv ?? usualOperatorKeys) ?? ''
  const keyCount = createKeyring({ clients: keys }, () => 0).size
  return withSecrets(
    {
      ...rest,
      perKey: { ...perKey, ...limits.perKey },
      keyCount,
      operatorKeyCount: createKeyring({ clients: keys, operators: operatorKeys }, () => 0).size - keyCount,
      ...(keysEnv === undefined || keyCount > 0 ? {} : { emptyKeysEnv: keysEnv }),
    },
    { keys, operatorKeys },
  )
}

/** The default where no preset declares less: agents send long conversations. */
const usualMessages = { count: 2000, characters: 1_000_000 }

function resolveRoute(
  { upstream, upstreamModel, fallback, root, messages, ...rest }: ConfigValue['routes'][number],
  upstreams: readonly UpstreamConfig[],
  folder: string,
  contracts: GatewayConfig['contracts'],
): RouteConfig {
  const target = (name: string, chosen: string | undefined): RouteTarget => {
    const model = chosen ?? upstreams.find((one) => one.name === name)?.model
    return { upstream: name, ...defined({ model }) }
  }
  const [contract = rest.contract] = rest.contracts ?? []
  // What one of the presets limits is limited whichever contract is chosen.
  const declared = (rest.contracts ?? [contract]).flatMap((name) => contracts.get(name ?? '')?.declared?.messages ?? [])
  const least = (key: keyof typeof usualMessages): number =>
    Math.min(...declared.map((one) => one[key] ?? usualMessages[key]), usualMessages[key])
  return {
    ...rest,
    ...defined({ contract }),
    targets: [
      target(upstream, upstreamModel),
      ...fallback.map((next) => (typeof next === 'string' ? target(next, undefined) : target(next.upstream, next.model))),
    ],
    messages: { count: least('count'), characters: least('characters'), ...messages },
    ...(root === undefined ? {} : { root: resolve(folder, root) }),
  }
}

function resolveGrpc({ tls, ...rest }: GrpcConfig, folder: string): GrpcConfig {
  return { ...rest, ...(tls === undefined ? {} : { tls: { cert: resolve(folder, tls.cert), key: resolve(folder, tls.key) } }) }
}
