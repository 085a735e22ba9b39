import { Answer, type Contract, contract, type RepairClass, settle } from '@stickler/core'
import { rejectUnknown, requireContract } from '@stickler/core/internal'
import { toolCalls } from '@stickler/core/validators'
import type { Part } from './model.ts'
import { readCall, writeCall } from './tool-calls.ts'

/** Which classes of repairs are allowed; those that a contract allows by default, unless set. */
interface Allowed {
  readonly allow?: readonly RepairClass[]
}

/** A call that the SDK could not use, the tools that it may mean, and the JSON Schemas of their inputs. */
interface FailedCall<Call> {
  readonly toolCall: Call
  readonly tools: object
  inputSchema(options: { readonly toolName: string }): unknown
}

/**
 * Makes what `generateText`, `streamText` and agents take as `repairToolCall`: names and arguments are repaired without a model.
 *
 * It gives null for a call that no allowed repair makes valid.
 */
export function repairToolCall(rules: Contract | Allowed = {}): <Call extends object>(failed: FailedCall<Call>) => Promise<Call | null> {
  const checked = 'validators' in rules ? ownRules(rules) : ruleFor(rules)
  return async <Call extends object>({ toolCall, tools, inputSchema }: FailedCall<Call>): Promise<Call | null> => {
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

function ruleFor(options: Allowed): Contract {
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
