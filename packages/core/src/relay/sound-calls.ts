import type { Contract } from '../contract/contract.ts'
import { defineContract } from '../contract/define-contract.ts'
import { toolCallCodes } from '../validators/tool-calls/codes.ts'
import { soundToolCalls } from '../validators/tool-calls/sound-calls.ts'

const made = new WeakMap<Contract, Contract>()

/** Adds the minimal check of tool calls, `tool_calls` with `soundOnly`, to a contract that has none. */
export function withSoundCalls(given: Contract): Contract {
  const known = made.get(given)
  if (known !== undefined) return known
  // The whole check is recognised by its codes: its own module would be part of every bundle.
  if (given.validators.some(({ definition }) => definition.codes === toolCallCodes)) return given
  const { validators: sound } = defineContract({ checks: [soundToolCalls({ soundOnly: true })], locale: given.policy.locale })
  const contract = { ...given, validators: [...given.validators, ...sound] }
  made.set(given, contract)
  return contract
}
