import type { ToolDefinition } from '../answer/tool-shapes/tool-definition.ts'
import type { ActiveValidator } from '../contract/configuration/read-checks.ts'
import type { Contract } from '../contract/contract.ts'
import { defineContract } from '../contract/define-contract.ts'
import { isStandardSchema } from '../schema/standard.ts'
import { jsonSchemaOf } from '../schema/standard-json.ts'
import { jsonCodes } from '../validators/json/codes.ts'
import { inCalls } from '../validators/json/in-calls.ts'
import { requestSchema } from '../validators/json/request-schema.ts'
import { withSchemas } from '../validators/shared/tool-schema.ts'

/** What a request asks for: JSON by a schema, in its text or in a call of a tool. */
export interface RequestedOutput {
  readonly schema?: unknown
  readonly tool?: string
  /** Whether the tool is the only one, so that its arguments stand for the answer. */
  readonly isAnswer?: boolean
}

/** The JSON Schema of a tool that has one of a library; what is none, the check says. */
export function schemaOfTool(forced: ToolDefinition): unknown {
  const [tool] = withSchemas([forced])
  return tool?.unusable ?? tool?.schema
}

/** The JSON Schema of a library's schema, as far as the library gives it. */
export function schemaOfLibrary(schema: object): unknown {
  return isStandardSchema(schema) ? jsonSchemaOf(schema) : schema
}

/** A contract with the check of what a request asks for. */
export function withRequestCheck(contract: Contract, { schema, tool, isAnswer = false }: RequestedOutput): Contract {
  const { validators: given, policy } = contract
  // What the contract says of its JSON holds for the same text by another schema too.
  const stated = given.find(isJson)
  const beside = stated && (tool === undefined || isAnswer) ? (stated.prepared.schema ?? true) : undefined
  const { deliver, allow } = (stated?.options ?? {}) as { readonly deliver?: 'answer'; readonly allow?: [] }
  const options = Object.entries({ schema, tool, deliver, allow, beside }).filter(([, value]) => value !== undefined)
  const { validators: added } = defineContract({ checks: [requestSchema(Object.fromEntries(options))], locale: policy.locale })
  const own = tool === undefined || !isAnswer ? given : given.map((one) => (isJson(one) ? asCalls(one, tool) : one))
  return { ...contract, validators: [...own, ...(added as readonly ActiveValidator[])] }
}

function isJson({ definition }: ActiveValidator): boolean {
  return definition.codes === jsonCodes
}

/** The same check for the arguments of a call; by a definition of its own, because a thread would make the check of texts again. */
function asCalls(validator: ActiveValidator, tool: string): ActiveValidator {
  return { ...validator, definition: { ...validator.definition }, prepared: inCalls(validator.prepared, tool) }
}
