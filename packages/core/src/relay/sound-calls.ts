import type { Contract } from '../contract/contract.ts'
import { defineContract } from '../contract/define-contract.ts'
import { toolCalls } from '../validators/tool-calls/index.ts'

/** Adds the minimal check of tool calls, `tool_calls` with `soundOnly`, to a contract that has none. */
export function withSoundCalls(given: Contract): Contract {
  if (given.validators.some(({ definition }) => definition === toolCalls.definition)) return given
  const { validators: sound } = defineContract({ checks: [toolCalls({ soundOnly: true })], locale: given.policy.locale })
  return { ...given, validators: [...given.validators, ...sound] }
}
