import { ownFormat, wantsValue } from '../answer/request/answer-request.ts'
import { type Fields, isFields } from '../answer/tool-shapes/fields.ts'
import { forcedTool } from '../answer/tool-shapes/offered-tools.ts'
import type { Contract } from '../contract/contract.ts'
import { type RequestedOutput, schemaOfLibrary, schemaOfTool, withRequestCheck } from './request-check.ts'

/** Contracts for requests by what these ask for, kept with the contract that they come from; the one used longest ago goes first. */
const made = new WeakMap<Contract, Map<string, Contract>>()
const mostKept = 32
/** Longer schemas, and patterns, which take memory as texts are matched, are compiled for each request, so that clients cannot fill the memory. */
const longestKept = 8000

/** The contract for a request: with a check of the schema that the request itself has, unless the contract says `requestSchema: ignore`. */
export function requestContract(contract: Contract, request: Fields): Contract {
  const requested = contract.policy.requestSchema === 'enforce' ? requestedOutput(request) : undefined
  if (requested === undefined) return contract
  const key = keyOf(requested)
  const known = made.get(contract) ?? new Map<string, Contract>()
  made.set(contract, known)
  const found = known.get(key) ?? withRequestCheck(contract, requested)
  known.delete(key)
  if (key.length <= longestKept && !key.includes('"pattern')) known.set(key, found)
  const oldest = known.size > mostKept ? known.keys().next().value : undefined
  if (oldest !== undefined) known.delete(oldest)
  return found
}

/** A tool that must be called leaves no room for a text in a format. */
function requestedOutput(request: Fields): RequestedOutput | undefined {
  const { tools, functions, tool_choice: choice, function_call: older } = request
  const forced = forcedTool({ tools, functions, toolChoice: choice ?? older })
  if (forced !== undefined) {
    return {
      tool: forced.name,
      schema: forced.foreign === undefined ? forced.schema : schemaOfTool(forced),
      isAnswer: wantsValue({ tools, functions, tool_choice: choice ?? older }),
    }
  }
  const format = ownFormat(request)
  if (!isFields(format)) return undefined
  if (format.type === 'json_object') return { schema: { type: 'object' } }
  if (format.type !== 'json_schema') return undefined
  const { schema } = isFields(format.json_schema) ? format.json_schema : format
  if (isFields(schema) && '~standard' in schema) return { schema: schemaOfLibrary(schema) }
  // A schema that says nothing asks for nothing.
  return isFields(schema) && Object.keys(schema).length === 0 ? undefined : { schema: schema ?? undefined }
}

/** What JSON has no text for is as good as no schema: the check says so. */
function keyOf(requested: RequestedOutput): string {
  try {
    return JSON.stringify(requested)
  } catch {
    return `${requested.tool}`
  }
}
