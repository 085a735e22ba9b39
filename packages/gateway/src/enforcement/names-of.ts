import type { GatewayConfig } from '../config/resolved/gateway-config.ts'
import { heldContracts } from './preparing/held-contracts.ts'

/** The names that metrics of a configuration may carry. */
export function namesOf(config: GatewayConfig): {
  contracts: Iterable<string>
  models: Iterable<string>
  upstreams: Iterable<string>
} {
  const { routes, upstreams } = config
  return {
    // A request that ends before its type is known has the name of its pipeline.
    contracts: [...heldContracts(config).keys(), ...routes.flatMap(({ pipeline }) => pipeline ?? []), 'ask'],
    models: routes.map(({ model }) => model),
    upstreams: upstreams.map(({ name }) => name),
  }
}
