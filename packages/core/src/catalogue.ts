import { buildContract, type Catalogue, type Contract, type ContractInput } from './contract/contract.ts'
import { helix } from './contract/presets/helix.ts'
import { validators } from './validators/index.ts'

/** The validators and presets that ship with Stickler, by name. */
export const catalogue: Catalogue = { validators, presets: { helix } }

/** Builds a contract from what ships with Stickler and the validators that are passed in; throws a ConfigurationError when it cannot be right. */
export function contract(input: ContractInput): Contract {
  return buildContract(input, catalogue)
}
