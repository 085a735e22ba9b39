import { Answer, type Contract, contract, type RepairClass, settle } from '@stickler/core'
import { rejectUnknown, requireContract } from '@stickler/core/internal'
import { toolCalls } from '@stickler/core/validators'
import type { Part } from './model.ts'
import { readCall, writeCall } from './tool-calls.ts'

/**
 * Makes what `generateText`, `streamText` and agents take as `repairToolCall`: names and arguments are repaired without a model.
 *
 * `allow` has the classes of repairs, those that a contract allows by default unless set. A call that no allowed repair makes valid stays an error.
 */
export function repairToolCall(
  rules: Contract | { readonly allow?: readonly RepairClass[] } = {},
): <Call extends object>(failed: {
  readonly toolCall: Call
  readonly tools: object
  inputSchema(options: { readonly toolName: string }): unknown
}) => Promise<Call | null> {
  const checked = 'validators' in rules ? ownRules(rules) : ruleFor(rules)
  return async ({ toolCall, tools, inputSchema }) => {
    const part = { type: 'tool-call', ...toolCall } as Part
    const offered = Object.keys(tools).map(async (name) => ({ type: 'function', name, inputSchema: await inputSchema({ toolName: name }) }))
    const answer = new Answer('', { toolCalls: [readCall(part)], finishReason: 'tool_calls' })
    const settled = await settle(checked, answer, { context: { tools: await Promise.all(offered) } })
    const [repaired, ...more] = settled.toolCalls
    if (!settled.ok || repaired === undefined || more.length > 0) return null
    const { toolName, input } = writeCall(repaired, part)
    return { ...toolCall, toolName, input }
  }
}

function ruleFor(options: { readonly allow?: readonly RepairClass[] }): Contract {
  rejectUnknown(options, { allow: true })
  const { allow } = options
  return contract({ checks: [toolCalls({})], ...(allow && { allow: [...allow] }) })
}

/** Only calls are judged here, by the contract's own rules for them. */
function ownRules(given: Contract): Contract {
  requireContract(given)
  const own = given.validators.filter(({ definition }) => definition === toolCalls.definition)
  return { ...given, validators: own.length > 0 ? own : ruleFor({}).validators }
}
