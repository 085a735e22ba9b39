import { dirname, resolve } from 'node:path'
import type { Contract, ContractInput, SourcePosition } from '@stickler/core'
import { defined } from '@stickler/core/internal'
import type { LoadedPlugin } from '@stickler/node/internal/config'
import { type ParserSettings, parserSettings } from '@stickler/parser/internal/config'
import { createKeyring } from '../../front/access/keys.ts'
import { resolveUpstream } from '../../upstreams/kinds/index.ts'
import type { UpstreamConfig } from '../../upstreams/kinds/upstream-kind.ts'
import { type Environment, fromEnvironment } from '../../upstreams/settings/environment.ts'
import { withSecrets } from '../../upstreams/settings/hidden-fields.ts'
import type { ConfigFile, ConfigSurroundings } from '../reading/read-config-file.ts'
import type { ConfigValue } from '../schema/config-schema.ts'
import { gatewayVariables, type UnsetKey, unsetKeys, usualKeys, usualOperatorKeys } from '../schema/named-variables.ts'
import { outsideRules, type RulesConfig, resolveRules, secretVariables } from './outside-rules.ts'
import { type RetrievalConfig, resolveRetrieval } from './resolve-retrieval.ts'
import { type StoreConfig, writtenStore } from './resolve-store.ts'

/** Sections to which the folder, the environment or another section adds something. */
type Completed = 'server' | 'limits' | 'store' | 'upstreams' | 'plugins' | 'contracts' | 'routes' | 'retrieval' | 'parser'

/** A complete configuration: what the schema reads, and what takes the folder or the environment. Secrets can be read but never print. */
export interface GatewayConfig extends Readonly<Omit<ConfigValue, Completed>> {
  /** The name of the file, for messages. */
  readonly file: string
  /** The place of a key in the file, or of the nearest one above it; absent where there is no file. */
  positionOf?(path: readonly (string | number)[]): SourcePosition
  readonly server: ServerConfig
  readonly store: StoreConfig
  /** In the order of the file. */
  readonly upstreams: readonly UpstreamConfig[]
  /** Keys that are sent nowhere, because the variable named for them is not set; only models on this machine may do without. */
  readonly unsetKeys?: readonly UnsetKey[]
  readonly contracts: ReadonlyMap<string, Contract>
  /** The contracts as they are written, with the schemas of files inserted; absent where there is no file. */
  readonly writtenContracts?: Readonly<Record<string, ContractInput>>
  /** The plugins whose validators the contracts may use; absent where there is no file. */
  readonly plugins?: readonly LoadedPlugin[]
  readonly routes: readonly RouteConfig[]
  /** Where passages for pipelines come from; absent when there are none. */
  readonly retrieval?: RetrievalConfig
  /** The parser that checks code. */
  readonly parser: ParserSettings
  /** The settings of external rules; absent where there is no file. */
  readonly rules?: RulesConfig
}

/** Where and how to listen; `callerNames` are keys that only name their callers while no key is needed, as in the demo. */
export type ServerConfig = Readonly<ReturnType<typeof resolveServer>> & { readonly callerNames?: string }

/** What one API key may use; unlimited where not set. */
export type KeyLimits = ServerConfig['perKey']

/** The route of a model name; its `root` is a full path. */
export type RouteConfig = Readonly<ReturnType<typeof resolveRoute>>

/** One upstream of a route, and the model name to send; the client's when absent. */
export type RouteTarget = RouteConfig['targets'][number]

/** Where questions are answered over gRPC; the files of its certificate are full paths. */
export type GrpcConfig = NonNullable<ConfigValue['grpc']>

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

function resolveServer({ server, limits }: Pick<ConfigValue, 'server' | 'limits'>, env: Environment) {
  const { keysEnv, operatorKeysEnv, perKey, ...rest } = server
  const keys = fromEnvironment(env, keysEnv ?? usualKeys) ?? ''
  const operatorKeys = fromEnvironment(env, operatorKeysEnv ?? usualOperatorKeys) ?? ''
  const keyCount = createKeyring({ clients: keys }, () => 0).size
  const open = {
    ...rest,
    perKey: { ...perKey, ...limits.perKey },
    /** Client keys; without these and operator keys, anyone on this machine may do everything. */
    keyCount,
    operatorKeyCount: createKeyring({ clients: keys, operators: operatorKeys }, () => 0).size - keyCount,
    /** The variable named for client keys, if it is empty. */
    ...defined({ emptyKeysEnv: keyCount > 0 ? undefined : keysEnv }),
  }
  return withSecrets(open, { keys, operatorKeys })
}

/** The default where no preset declares less: agents send long conversations. */
const usualMessages = { count: 2000, characters: 1_000_000 }

function resolveRoute(
  { upstream, upstreamModel, fallback, root, messages, ...rest }: ConfigValue['routes'][number],
  upstreams: readonly UpstreamConfig[],
  folder: string,
  contracts: GatewayConfig['contracts'],
) {
  const target = (name: string, chosen: string | undefined) => {
    const model = chosen ?? upstreams.find((one) => one.name === name)?.model
    return { upstream: name, ...defined({ model }) }
  }
  const [contract = rest.contract] = rest.contracts ?? []
  // What one of the presets limits is limited whichever contract is chosen.
  const declared = (rest.contracts ?? [contract]).flatMap((name) => contracts.get(name ?? '')?.declared?.messages ?? [])
  const least = (key: keyof typeof usualMessages): number =>
    Math.min(...declared.map((one) => one[key] ?? usualMessages[key]), usualMessages[key])
  const first = target(upstream, upstreamModel)
  return {
    ...rest,
    ...defined({ contract, root: root && resolve(folder, root) }),
    /** In order of preference. */
    targets: [first, ...fallback.map((next) => target(next.upstream, 'model' in next ? next.model : undefined))] as [
      typeof first,
      ...(typeof first)[],
    ],
    messages: { count: least('count'), characters: least('characters'), ...messages },
  }
}

function resolveGrpc({ tls, ...rest }: GrpcConfig, folder: string): GrpcConfig {
  return { ...rest, ...(tls === undefined ? {} : { tls: { cert: resolve(folder, tls.cert), key: resolve(folder, tls.key) } }) }
}
