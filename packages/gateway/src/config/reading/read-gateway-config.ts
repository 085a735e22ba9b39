import type { ConfigurationProblem } from '@stickler/core'
import { isFields, valueAt } from '@stickler/core/internal'
import { withSecrets } from '../../upstreams/settings/hidden-fields.ts'
import { type GatewayConfig, resolveConfig } from '../resolved/gateway-config.ts'
import { resolveStore } from '../resolved/resolve-store.ts'
import { checkEnvironment } from '../schema/named-variables.ts'
import { type ConfigSurroundings, readConfigFile } from './read-config-file.ts'

/**
 * Reads a configuration to serve, with all defaults filled in: every environment variable that it
 * names must be set, and every model must have an upstream. Throws a ConfigurationError that lists
 * every problem, by line and column. With `contractsAlone` a file may have contracts and nothing to
 * serve.
 */
export async function readGatewayConfig(
  source: string,
  file: string,
  around: ConfigSurroundings,
  { contractsAlone = false }: { readonly contractsAlone?: boolean } = {},
): Promise<GatewayConfig> {
  const read = await readConfigFile(source, file, around, (data, schema) => [
    ...checkEnvironment(schema, data, around.env),
    ...(contractsAlone && hasContractsAlone(data) ? [] : needRoutes(data)),
  ])
  return resolveConfig(read, file, around)
}

/** What the command line may override. */
export interface ConfigOverrides {
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly workers?: number | undefined
  /** Address of the store; a file is relative to `cwd`. */
  readonly store?: string | undefined
}

/** Applies the command line's overrides; an invalid store is a ConfigurationError. */
export function overrideConfig(config: GatewayConfig, overrides: ConfigOverrides, cwd: string): GatewayConfig {
  const { host, port, workers, store } = overrides
  return {
    ...config,
    server: withSecrets(
      { ...config.server, host: host ?? config.server.host, port: port ?? config.server.port, workers: workers ?? config.server.workers },
      { keys: config.server.keys, operatorKeys: config.server.operatorKeys },
    ),
    store: store === undefined ? config.store : resolveStore(store, cwd, config.store),
  }
}

/** Whether a file is for the library and the command: it has contracts, and neither upstreams nor routes. */
function hasContractsAlone(data: unknown): boolean {
  return valueAt(data, ['contracts']) !== undefined && valueAt(data, ['upstreams']) === undefined && valueAt(data, ['routes']) === undefined
}

function needRoutes(data: unknown): ConfigurationProblem[] {
  const routes = valueAt(data, ['routes'])
  // A gateway may serve questions alone.
  if (!isFields(data) || valueAt(data, ['ask']) !== undefined || (routes !== undefined && !(Array.isArray(routes) && routes.length === 0)))
    return []
  return [
    {
      message:
        'there are no routes; map a model to an upstream and a contract, such as routes: [{ model: fast, upstream: NAME, contract: NAME }]',
      path: [],
    },
  ]
}
