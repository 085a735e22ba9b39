import { contractsByType, queryTypes } from '@stickler/ask/internal'
import { type PipelineDefinition, pipelines, type QueryType } from '@stickler/ask/pipeline'
import type { Contract } from '@stickler/core'
import type { GatewayConfig } from '../../config/resolved/gateway-config.ts'

/** The name of a query type's contract, in headers, records and metrics. */
export function contractNameOf(pipeline: string, type: QueryType): string {
  return `${pipeline}.${type}`
}

/** The contracts that pipelines may choose, by name. */
function pipelineContracts(names: Iterable<string>): ReadonlyMap<string, Contract> {
  return new Map(
    [...new Set(names)].flatMap((name) => {
      const contractOf = contractsByType(definitionOf(name))
      return queryTypes.map((type) => [contractNameOf(name, type), contractOf(type, 1)] as const)
    }),
  )
}

/** Of the contracts that a pipeline may choose, the one that allows the most attempts. */
export function costliestContract(name: string): Contract {
  const contracts = [...pipelineContracts([name]).values()]
  return contracts.reduce((most, one) => (one.policy.retries > most.policy.retries ? one : most))
}

/** What a pipeline is for; its name has been checked. */
export function definitionOf(name: string): PipelineDefinition {
  const found = Object.hasOwn(pipelines, name) ? pipelines[name] : undefined
  // References of the configuration are already checked.
  if (found === undefined) throw new Error(`no pipeline ${name}`)
  return found
}

/** Every contract that an answer may be checked against, by name. */
export function heldContracts({
  contracts,
  routes,
  ask,
}: Pick<GatewayConfig, 'contracts' | 'routes' | 'ask'>): ReadonlyMap<string, Contract> {
  const pipelines = [...routes, ...(ask === undefined ? [] : [ask])].flatMap(({ pipeline }) => (pipeline === undefined ? [] : [pipeline]))
  return pipelines.length === 0 ? contracts : new Map([...pipelineContracts(pipelines), ...contracts])
}
