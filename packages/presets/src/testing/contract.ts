import { buildContract, type Contract, type ContractInput, type ContractOptions, type Preset } from '@stickler/core'
import { catalogue } from '../index.ts'

/** A contract by the names of everything that ships. */
export interface ContractByName extends Omit<ContractOptions, 'preset' | 'checks'> {
  readonly preset?: string | Preset
  readonly checks?: readonly (string | object)[]
}

/** Builds a contract by the names of everything that ships, as a configuration file does. */
export function contract(input: ContractByName): Contract {
  return buildContract(input as ContractInput, typeof input.preset === 'object' ? { ...catalogue, presets: {} } : catalogue)
}

export { catalogue }
