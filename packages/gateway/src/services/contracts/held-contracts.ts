import type { Contract } from '@stickler/core'
import type { GatewayConfig } from '../../config/resolved/gateway-config.ts'
import { pipelineContracts } from './pipeline-contracts.ts'

/** Every contract that an answer may be checked against, by name. */
export function heldContracts({
  contracts,
  routes,
  ask,
}: Pick<GatewayConfig, 'contracts' | 'routes' | 'ask'>): ReadonlyMap<string, Contract> {
  const pipelines = [...routes, ...(ask === undefined ? [] : [ask])].flatMap(({ pipeline }) => (pipeline === undefined ? [] : [pipeline]))
  return pipelines.length === 0 ? contracts : new Map([...pipelineContracts(pipelines), ...contracts])
}
