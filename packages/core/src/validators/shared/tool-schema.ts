import { field } from '../../answer/tool-shapes/fields.ts'
import type { ToolDefinition } from '../../answer/tool-shapes/tool-definition.ts'
import { isStandardSchema, type StandardLike } from '../../schema/standard.ts'
import { jsonSchemaOf } from '../../schema/standard-json.ts'

/** A tool whose arguments can be checked, or that says why not. */
export interface CheckedTool extends ToolDefinition {
  /** A schema of Zod, Valibot or ArkType, which may know more than its JSON Schema says. */
  readonly standard?: StandardLike
  /** Why arguments cannot be checked, when the schema is not one. */
  readonly unusable?: string
}

/** The tools with JSON Schema instead of library schemas, as far as these provide it. */
export function withSchemas(tools: readonly ToolDefinition[]): readonly CheckedTool[] {
  return tools.some(({ foreign }) => foreign !== undefined) ? tools.map(withSchema) : tools
}

function withSchema(tool: ToolDefinition): CheckedTool {
  const { foreign, ...known } = tool
  if (foreign === undefined) return tool
  if (isStandardSchema(foreign)) return { ...known, schema: jsonSchemaOf(foreign) ?? {}, standard: foreign }
  const validate = field(foreign, 'validate')
  if (field(foreign, 'jsonSchema') !== undefined && typeof validate === 'function') {
    // The SDK answers late for schemas of libraries, whose JSON Schema it wrote: that one can be asked at once.
    const isLate = Object.prototype.toString.call(validate) === '[object AsyncFunction]' && '$schema' in tool.schema
    const standard = { '~standard': { validate: (value: unknown) => fromResult(validate(value), value) } }
    return { ...known, ...(isLate ? {} : { standard }) }
  }
  return { ...tool, unusable: 'it is neither JSON Schema nor a Standard Schema' }
}

/** What the `validate` of the AI SDK answers, as a Standard Schema would say it. */
function fromResult(result: unknown, value: unknown): unknown {
  if (field(result, 'success') === true) return { value }
  if (field(result, 'success') === false) {
    const error = field(result, 'error')
    const issues = field(error, 'issues')
    return { issues: Array.isArray(issues) ? issues : [{ message: field(error, 'message') }] }
  }
  return result
}
