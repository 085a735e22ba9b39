import { checkExposure } from '../../front/access/hosts.ts'
import { createKeyring, type Keyring } from '../../front/access/keys.ts'
import type { GatewayConfig } from '../resolved/gateway-config.ts'
import type { LiveConfig } from './live-config.ts'

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

/** Throws a ConfigurationError when keys are wrong, or others could reach a listener without one. */
export function checkKeys(config: GatewayConfig, today: () => number): void {
  const { size } = keyringOf(config, today)
  const { server, grpc } = config
  for (const { host } of [server, server.admin ?? server, grpc ?? server]) checkExposure(host, size > 0)
}

function keyringOf({ server: { keys, operatorKeys } }: GatewayConfig, today: () => number): Keyring {
  return createKeyring({ clients: keys, operators: operatorKeys }, today)
}
