import { buildContract, type Contract, type ContractInput } from './contract.ts'
import type { Check, ValueOf } from './validator.ts'

/** Builds a contract from validators alone; unlike `contract` it knows no names, so a bundle holds only the validators that are imported. */
export function defineContract<const Checks extends readonly Check[]>(
  input: Omit<ContractInput, 'checks' | 'preset'> & { readonly checks: Checks },
): Contract<ValueOf<Checks[number]>> {
  return buildContract(input, { validators: [], presets: {} })
}
