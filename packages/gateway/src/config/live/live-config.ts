import { ConfigurationError } from '@stickler/core'
import { checkExposure } from '../../front/access/hosts.ts'
import { createKeyring, type Keyring, namingKeys } from '../../front/access/keys.ts'
import { withSecrets } from '../../upstreams/settings/hidden-fields.ts'
import type { GatewayConfig } from '../resolved/gateway-config.ts'
import { restartNeeded, withStarted } from './restart-keys.ts'

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
interface ReloadPlan {
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
  const { server, ...rest } = withStarted(started, written)
  const { keys, operatorKeys } = written.server
  const { path: _path, ...store } = written.store
  const { kind, path, folder, shown, url } = started.store
  return {
    ...rest,
    server: withSecrets(server, { keys, operatorKeys }),
    store: withSecrets({ ...store, kind, folder, shown, ...(path === undefined ? {} : { path }) }, { url }),
  }
}

/** The keys of the configuration in effect. */
export function liveKeyring(live: LiveConfig, today: () => number): Keyring {
  let keyring = keyringOf(live.current(), today)
  live.follow((config) => {
    keyring = keyringOf(config, today)
  })
  return {
    get size() {
      return keyring.size
    },
    identify: (key) => keyring.identify(key),
  }
}

/**
 * Throws a ConfigurationError when keys are invalid, or others could reach a listener without one.
 */
export function checkKeys(config: GatewayConfig, today: () => number): void {
  const { size } = keyringOf(config, today)
  const { server, grpc } = config
  for (const { host } of [server, server.admin ?? server, grpc ?? server]) checkExposure(host, size > 0)
}

/**
 * Refuses to open a gateway that required keys until now, because the variable named for them is
 * not set.
 */
export function keepLocked(before: GatewayConfig, next: GatewayConfig): void {
  if (countOf(before) === 0 || countOf(next) > 0 || next.server.emptyKeysEnv === undefined) return
  const message = 'there are no API keys any more, so anyone on this machine could call models; restart to run without keys'
  throw new ConfigurationError([{ message, path: ['server', 'keysEnv'] }])
}

/** What contracts say that has no effect, with its place in the file. */
export function contractWarnings({ contracts, positionOf }: GatewayConfig): readonly string[] {
  const problems = [...contracts].flatMap(([name, { warnings = [] }]) =>
    warnings.map(({ message, path }) => {
      const place = ['contracts', name, ...path]
      const position = positionOf?.(place)
      return { message, path: place, ...(position && { position }) }
    }),
  )
  return problems.length === 0 ? [] : new ConfigurationError(problems).message.split('\n')
}

/** The warning when keys were to be read from an empty variable; undefined when all is well. */
export function openByMistake(config: GatewayConfig): string | undefined {
  const { emptyKeysEnv } = config.server
  if (emptyKeysEnv === undefined || countOf(config) > 0) return undefined
  return `server.keysEnv names ${emptyKeysEnv}, which is not set: anyone on this machine can call models without a key`
}

function countOf({ server: { keyCount, operatorKeyCount } }: GatewayConfig): number {
  return keyCount + operatorKeyCount
}

function keyringOf({ server: { keys, operatorKeys, callerNames } }: GatewayConfig, today: () => number): Keyring {
  const keyring = createKeyring({ clients: keys, operators: operatorKeys }, today)
  return keyring.size === 0 && callerNames !== undefined ? namingKeys(callerNames, today) : keyring
}
