import { withSecrets } from '../../upstreams/settings/hide-secrets.ts'
import type { GatewayConfig } from '../resolved/gateway-config.ts'
import { restartNeeded } from './restart-keys.ts'

/** The configuration in effect: everything that reads it sees a reload. */
export interface LiveConfig {
  /** What is in effect now; a request reads it once and keeps it. */
  current(): GatewayConfig
  /** What a file would change, and its keys that need a restart; changes nothing yet. */
  plan(written: GatewayConfig): ReloadPlan
  /** Puts a configuration into effect. */
  replace(planned: GatewayConfig): void
  /** Calls with the configuration in effect, now and after each reload. */
  follow(apply: (config: GatewayConfig) => void): void
}

/** What a reload changes, and what it cannot change. */
export interface ReloadPlan {
  readonly config: GatewayConfig
  /** Keys with their places, such as `server.port (stickler.yaml:3:3)`. */
  readonly restart: readonly string[]
}

/** Makes the live value from the configuration that a gateway starts with. */
export function createLiveConfig(started: GatewayConfig): LiveConfig {
  let current = started
  const followers: ((config: GatewayConfig) => void)[] = []
  return {
    current: () => current,
    plan: (written) => ({ config: inEffect(started, written), restart: restartNeeded(started, written) }),
    replace(planned) {
      current = planned
      for (const apply of followers) apply(planned)
    },
    follow(apply) {
      followers.push(apply)
      apply(current)
    },
  }
}

/** A configuration with the sockets, processes and database of the start. */
function inEffect(started: GatewayConfig, written: GatewayConfig): GatewayConfig {
  const { grpc: _grpc, ...rest } = written
  const { admin: _admin, ...server } = written.server
  const { path: _path, ...store } = written.store
  const { host, port, workers, admin } = started.server
  const { kind, path, folder, shown, url } = started.store
  return {
    ...rest,
    server: withSecrets(
      { ...server, host, port, workers, ...(admin === undefined ? {} : { admin }) },
      { keys: written.server.keys, operatorKeys: written.server.operatorKeys },
    ),
    store: withSecrets({ ...store, kind, folder, shown, ...(path === undefined ? {} : { path }) }, { url }),
    ...(started.grpc === undefined ? {} : { grpc: started.grpc }),
  }
}
