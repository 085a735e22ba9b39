import type { CheckInput } from './contract/configuration/read-checks.ts'
import { buildContract, type Catalogue, type Contract, type ContractInput } from './contract/contract.ts'
import { avap } from './contract/presets/avap.ts'
import { helix } from './contract/presets/helix.ts'
import { reddb } from './contract/presets/reddb.ts'
import { techtime } from './contract/presets/techtime.ts'
import type { ValueOf } from './contract/validator.ts'
import { validators } from './validators/index.ts'
import { toolCalls } from './validators/tool-calls/index.ts'

/** The validators and presets that ship with Stickler, by name. */
export const catalogue: Catalogue = { validators, presets: { avap, helix, reddb, techtime } }

/** Builds a contract from what ships with Stickler and the validators that are passed in; throws a ConfigurationError when it cannot be right. */
export function contract<const Checks extends readonly CheckInput[] = []>(
  input: Omit<ContractInput, 'checks'> & { readonly checks?: Checks },
): Contract<ValueOf<Checks[number]>> {
  return buildContract(input as ContractInput, catalogue)
}

/** Adds the least check of tool calls, `tool_calls` with `soundOnly`, to a contract that does not speak of them. */
export function withSoundCalls(given: Contract): Contract {
  if (given.validators.some(({ definition }) => definition === toolCalls.definition)) return given
  const { validators: sound } = contract({ checks: [toolCalls({ soundOnly: true })], locale: given.policy.locale })
  return { ...given, validators: [...given.validators, ...sound] }
}
