import { withSecrets } from '../../upstreams/settings/hide-secrets.ts'
import type { GatewayConfig } from '../resolved/gateway-config.ts'
import { resolveConfig } from '../resolved/resolve-config.ts'
import { resolveStore } from '../resolved/resolve-store.ts'
import type { ConfigSurroundings } from './read-config-file.ts'
import { readServedFile } from './read-served-file.ts'

/**
 * Reads a configuration to serve, with all defaults filled in; throws a ConfigurationError that
 * lists every problem, by line and column.
 */
export async function readGatewayConfig(source: string, file: string, around: ConfigSurroundings): Promise<GatewayConfig> {
  return resolveConfig(await readServedFile(source, file, around), file, around)
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
