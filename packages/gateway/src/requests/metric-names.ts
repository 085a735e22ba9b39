import { requestSchema } from '@stickler/core/internal/remote'
import type { GatewayConfig } from '../config/resolved/gateway-config.ts'
import { heldContracts } from '../services/contracts/pipeline-contracts.ts'

/** The names that metrics of a configuration may carry. */
export function namesOf(config: GatewayConfig): {
  contracts: Iterable<string>
  models: Iterable<string>
  upstreams: Iterable<string>
  validators: Iterable<string>
  codes: Iterable<string>
} {
  const { routes, upstreams } = config
  const validators = [...heldContracts(config).values()].flatMap((contract) => contract.validators)
  return {
    // A request that ends before its type is known has the name of its pipeline.
    contracts: [...heldContracts(config).keys(), ...routes.flatMap(({ pipeline }) => pipeline ?? []), 'ask'],
    models: routes.map(({ model }) => model),
    upstreams: upstreams.map(({ name }) => name),
    validators: [...validators.map(({ name }) => name), requestSchema.definition.name],
    codes: [
      ...validators.flatMap(({ definition, prepared }) => [...Object.keys(definition.codes), ...(prepared.codes ?? [])]),
      ...Object.keys(requestSchema.definition.codes),
    ],
  }
}
