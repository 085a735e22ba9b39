import { type Contract, instructions } from '@stickler/core'
import type { Route } from '../../front/exchange.ts'
import { sendJson } from '../../front/replies/json-response.ts'
import type { Contracts } from '../../routes/check/check-contracts.ts'
import { contractsDescription } from './operation-descriptions.ts'

/** Makes the route that describes each contract. */
export function contractsRoute(contracts: Contracts): Route {
  return {
    method: 'GET',
    path: '/api/v1/contracts',
    access: 'operate',
    description: contractsDescription,
    handler: async (exchange) => sendJson(exchange, 200, { items: [...contracts()].map(([name, contract]) => describe(name, contract)) }),
  }
}

function describe(name: string, contract: Contract): Readonly<Record<string, unknown>> {
  return {
    name,
    validators: contract.validators.map(({ name: validator, definition, options, prepared, instruction }) => ({
      name: validator,
      summary: definition.summary,
      options,
      codes: definition.codes,
      repairs: prepared.repair !== undefined,
      incremental: prepared.incremental !== undefined,
      instruction,
    })),
    policy: contract.policy,
    instructions: instructions(contract),
  }
}
